import { type Client, RequestFailed } from '@slipstream/client';
import { DISK_IS_SHORT } from '../monitoring/disk.js';
import type { ServerSettings } from '../settings/settings.js';
import { type Finding, TO_SET_THE_CLOCK, findingsAbout, inShort } from './finding.js';
import { ROOM } from './machine.js';
import { asked } from './outside.js';

/** The address at which this machine reaches the server of the settings. */
export function localUrl({ HOST, PORT }: Pick<ServerSettings, 'HOST' | 'PORT'>): string {
  const host = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[HOST] ?? HOST;
  return `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${PORT}`;
}

function toBeReady(reason: string | undefined): string {
  if (reason === undefined) return 'Wait until it has started; else read its log.';
  if (reason === DISK_IS_SHORT) return ROOM;
  return reason.startsWith('the clock ')
    ? TO_SET_THE_CLOCK
    : 'Wait some seconds; else read its log, list the servers (nodes), and look after PostgreSQL: docs/several-nodes.md.';
}

/** The running server: whether it is ready, what its sources of quotes say, and what is halted. */
export async function serverFindings(url: string): Promise<Finding[]> {
  const { good, doubtful, bad } = findingsAbout('server');
  let answer: Response;
  try {
    answer = await asked(`${url}/readyz`);
  } catch (error) {
    return [bad(`no server answers at ${url} (${inShort(error)})`, 'Start it: serve')];
  }
  const [state, ...lines] = (await answer.text()).trim().split('\n');
  if (answer.status !== 200) {
    const [reason] = state === 'not ready' ? lines : [];
    return [
      bad(
        `the server at ${url} says ${state ?? answer.status}${reason === undefined ? '' : `: ${reason}`}`,
        toBeReady(reason),
      ),
    ];
  }
  const feeds = findingsAbout('feed');
  return [
    good(`the server at ${url} is ready`),
    ...lines.map((line) => {
      if (/^\S+ is held: /.test(line))
        return doubtful(
          line,
          'Book the corporate action with newStockAction; if there is none, set the stock active with updateStocks.',
        );
      if (line.startsWith('the clock is in doubt: '))
        return findingsAbout('clock').doubtful(
          line,
          `If it is wrong: ${TO_SET_THE_CLOCK}. If it is right, nothing is to be done: docs/operating.md.`,
        );
      if (!line.startsWith('quotes of '))
        return doubtful(line, 'halts list says who halted it and why; resume lifts it.');
      return / healthy/.test(line) && !/not healthy/.test(line)
        ? feeds.good(line)
        : feeds.doubtful(
            line,
            'Read the log of the server, which says why. Check the key of the source, if it has one, and its page about outages.',
          );
    }),
  ];
}

/** An alert as the charting platform would send it, for a strategy of the token's user. */
export interface TestAlert {
  readonly strategyId: string;
  /** Without it one that the strategy trades is chosen. */
  readonly stockId: string | undefined;
  readonly token: string | undefined;
}

/** The instruments that alerts are tried with, where they have quotes. */
const USUAL = { stock: 'AAPL:NASDAQ', cryptocurrency: 'BTCUSD:COINBASE' } as const;

/** What the strategy trades; stocks where the token may not read it and others do not see it. */
async function tradedBy(
  client: Client,
  stranger: Client,
  strategyId: string,
): Promise<keyof typeof USUAL> {
  const asked = { strategy_id: [strategyId] };
  for (const one of [client, stranger]) {
    const [strategy] = await one.getStrategies(asked).catch(() => []);
    if (strategy) return strategy.type;
  }
  return 'stock';
}

/** An instrument that the strategy trades, with a quote if one has any. */
async function instrumentFor(
  client: Client,
  stranger: Client,
  strategyId: string,
): Promise<string> {
  const security = await tradedBy(client, stranger, strategyId);
  const usual = USUAL[security];
  const some = [
    ...(await stranger.getStocks({ stock_id: [usual] })),
    ...(await stranger.findStocks({ security })),
  ].filter(({ stock_status }) => stock_status !== 'delisted');
  const chosen = some.find(({ bid }) => bid !== null) ?? some[0];
  return chosen ? `${chosen.symbol}:${chosen.exchange}` : usual;
}

/**
 * Prints nothing and places nothing: asks for the template of the strategy, fills it as a platform would, and lets the
 * server preview it through the address that platforms call.
 */
export async function alertFindings(
  { client, stranger }: { readonly client: Client; readonly stranger: Client },
  url: string,
  { strategyId: strategy_id, stockId, token }: TestAlert,
): Promise<Finding[]> {
  const { good, bad } = findingsAbout('alert');
  if (token === undefined)
    return [
      bad(
        'there is no token to try an alert with',
        'Give one of the owner with --token, or in SLIPSTREAM_TOKEN.',
      ),
    ];
  try {
    const stock_id = stockId ?? (await instrumentFor(client, stranger, strategy_id));
    const template = await client.getAlertTemplate({ strategy_id, stock_id });
    const { leverage, stock_id: stock } = JSON.parse(template) as Record<string, string>;
    const alert = {
      strategy_id,
      stock_id: stock ?? stock_id,
      action: 'buy',
      leverage: leverage ?? '1',
    };
    const what = await client.previewOrderWebhook({ ...alert, api_token: token }).then(
      ({ orders: { length } }) =>
        `it would place ${length} ${length === 1 ? 'order' : 'orders'}, and placed none`,
      (error: unknown) => {
        // A strategy that is fully invested is in order.
        const isFull = error instanceof RequestFailed && error.code === 'insufficient_buying_power';
        if (!isFull) throw error;
        return `the strategy has no room for it now: ${error.message}`;
      },
    );
    return [
      good(`the address for the charting platform is ${url}/newOrderWebhook`),
      good(
        `the text for its alert; "alerts template --new-token" puts a token into it:\n${template}`,
      ),
      good(`an alert to buy is understood; ${what}`),
    ];
  } catch (error) {
    const says = error instanceof RequestFailed ? error.message : inShort(error);
    const other =
      stockId === undefined
        ? ' Name an instrument that it trades behind the id of the strategy, if that is wrong.'
        : '';
    return [
      bad(
        `a test alert is refused: ${says}`,
        `The sentence says why. Alerts need a token of the owner with the scopes newOrder and getAlertTemplate.${other}`,
      ),
    ];
  }
}
