import { simulatedBroker } from '@slipstream/adapter-broker-simulated';
import type { LiveState } from '@slipstream/application';
import {
  type Broker,
  type Brokers,
  type Clock,
  type Ids,
  type UnitOfWork,
  inGroups,
  oneATurn,
} from '@slipstream/ports';
import { z } from 'zod';
import { inTime } from './in-time.js';
import { SettingError } from '../settings/setting-error.js';
import { standInUrl } from '../settings/stand-in-url.js';
import { systemPause } from '../system.js';

const NAMES = ['simulated', 'alpaca_paper', 'alpaca', 'kraken', 'coinbase'] as const;
type BrokerName = (typeof NAMES)[number];
const NAMED = `must be names out of ${NAMES.join(', ')}, separated by commas`;

/** These trade real money. */
const WITH_REAL_MONEY: readonly BrokerName[] = ['alpaca', 'kraken', 'coinbase'];

const onThisMachine = z
  .string()
  .refine(
    (text) => standInUrl(text) !== undefined,
    'must be like http://127.0.0.1:12112, on this machine',
  )
  .optional();

const oauthText = z
  .string()
  .regex(/^[\x21-\x7e]{8,200}$/, 'must be 8 to 200 characters without spaces, as Alpaca shows it')
  .optional();

/** The settings of the brokers. */
export const brokerSettings = {
  BROKERS: z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(NAMES, NAMED)))
    .transform((names) => [...new Set(names)])
    .default(['simulated']),
  LIVE_TRADING: z.enum(['off', 'on'], 'must be off or on').default('off'),
  ALPACA_PAPER_URL: onThisMachine,
  ALPACA_LIVE_URL: onThisMachine,
  ALPACA_OAUTH_CLIENT_ID: oauthText,
  ALPACA_OAUTH_CLIENT_SECRET: oauthText,
  ALPACA_OAUTH_URL: onThisMachine,
  CCXT_URL_kraken: onThisMachine,
  CCXT_URL_coinbase: onThisMachine,
};

/** The brokers whose stand-in an address names. */
const URLS = {
  ALPACA_PAPER_URL: 'alpaca_paper',
  ALPACA_LIVE_URL: 'alpaca',
  CCXT_URL_kraken: 'kraken',
  CCXT_URL_coinbase: 'coinbase',
} as const satisfies Partial<Record<keyof typeof brokerSettings, BrokerName>>;
type UrlName = keyof typeof URLS;

export interface BrokerSettings extends Readonly<Partial<Record<UrlName, string | undefined>>> {
  readonly BROKERS: readonly BrokerName[];
  readonly LIVE_TRADING: 'off' | 'on';
  readonly MARKET: 'demo' | 'replay' | 'push' | 'live';
  readonly ALPACA_OAUTH_CLIENT_ID?: string | undefined;
  readonly ALPACA_OAUTH_CLIENT_SECRET?: string | undefined;
  readonly ALPACA_OAUTH_URL?: string | undefined;
  readonly PUBLIC_URL?: string | undefined;
}

/** Whether nothing but a stand-in on this machine is asked as that broker. */
const isStandIn = (settings: BrokerSettings, broker: BrokerName): boolean =>
  Object.entries(URLS).some(
    ([url, name]) => name === broker && settings[url as UrlName] !== undefined,
  );

const arePricesReal = ({ MARKET }: Pick<BrokerSettings, 'MARKET'>): boolean =>
  MARKET === 'push' || MARKET === 'live';

/** The problem with real money on such prices. */
const onOtherPrices = (
  names: string,
  { MARKET }: Pick<BrokerSettings, 'MARKET'>,
  advice: string,
): string =>
  `${names}, which trades real money, and the prices of MARKET=${MARKET} are not the market's: ${advice}`;

/** The problem with the brokers that a host adds; undefined if there is none. A feed of its own has the prices that it means. */
export function addedBrokerProblem(
  settings: Pick<BrokerSettings, 'MARKET'>,
  added: readonly Pick<Broker, 'name' | 'live'>[],
  hasOwnFeed: boolean,
): string | undefined {
  const live = added.filter((broker) => broker.live).map(({ name }) => name);
  if (live.length === 0 || hasOwnFeed || arePricesReal(settings)) return undefined;
  const advice = 'set MARKET=live, set MARKET=push and send quotes, or give a marketFeed';
  return onOtherPrices(`addBrokers adds ${live.join(', ')}`, settings, advice);
}

/** The problem with their combination; undefined if there is none. */
export function brokerProblem(settings: BrokerSettings): string | undefined {
  const { BROKERS: names, LIVE_TRADING } = settings;
  const live = names.filter((name) => WITH_REAL_MONEY.includes(name));
  if (live.length > 0 && LIVE_TRADING === 'off')
    return `BROKERS names ${live.join(', ')}, which trades real money: that needs LIVE_TRADING=on`;
  const real = arePricesReal(settings) ? [] : live.filter((name) => !isStandIn(settings, name));
  if (real.length > 0)
    return onOtherPrices(
      `BROKERS names ${real.join(', ')}`,
      settings,
      'set MARKET=live, or MARKET=push and send quotes',
    );
  const useless = Object.entries(URLS).find(
    ([url, name]) => settings[url as UrlName] !== undefined && !names.includes(name),
  );
  if (useless) return `${useless[0]} needs ${useless[1]} in BROKERS`;
  return oauthProblem(settings);
}

function oauthProblem(settings: BrokerSettings): string | undefined {
  const { ALPACA_OAUTH_CLIENT_ID: id, ALPACA_OAUTH_CLIENT_SECRET: secret } = settings;
  if (id === undefined && secret !== undefined)
    return 'ALPACA_OAUTH_CLIENT_SECRET needs ALPACA_OAUTH_CLIENT_ID';
  if (id !== undefined && secret === undefined)
    return 'ALPACA_OAUTH_CLIENT_ID needs ALPACA_OAUTH_CLIENT_SECRET';
  if (id === undefined)
    return settings.ALPACA_OAUTH_URL === undefined
      ? undefined
      : 'ALPACA_OAUTH_URL needs ALPACA_OAUTH_CLIENT_ID';
  if (!settings.BROKERS.some((name) => name === 'alpaca' || name === 'alpaca_paper'))
    return 'ALPACA_OAUTH_CLIENT_ID needs alpaca_paper or alpaca in BROKERS';
  // A local server that imitates Alpaca sends browsers back to this machine.
  return settings.PUBLIC_URL === undefined && settings.ALPACA_OAUTH_URL === undefined
    ? 'ALPACA_OAUTH_CLIENT_ID needs PUBLIC_URL: Alpaca sends browsers back to its page /connect'
    : undefined;
}

/** This server as Alpaca knows it. */
function oauthClient(settings: BrokerSettings) {
  const { ALPACA_OAUTH_CLIENT_ID: id, ALPACA_OAUTH_CLIENT_SECRET: secret } = settings;
  if (id === undefined || secret === undefined) return undefined;
  return { id, secret, url: origin(settings.ALPACA_OAUTH_URL) };
}

/** An address as adapters take it, without the slash at its end. */
const origin = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : standInUrl(text)?.origin;

export interface BrokerParts {
  readonly unitOfWork: UnitOfWork;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly live: LiveState;
}

type MakeBroker = (parts: BrokerParts) => Broker;

const simulated: MakeBroker = ({ unitOfWork, ids, clock, live }) => {
  const inGroup = inGroups(systemPause);
  return simulatedBroker({
    unitOfWork: {
      read: (work) => unitOfWork.read(work),
      run: (work, options) => inGroup(() => unitOfWork.run(work, options)),
    },
    ids,
    market: () => live.market(clock.now()),
  });
};

/** The optional package of both: it is asked for by name before anything else starts. */
async function loadExchange(
  settings: BrokerSettings,
  name: 'kraken' | 'coinbase',
): Promise<MakeBroker> {
  const { COINBASE, CcxtMissing, KRAKEN, ccxtBroker, loadCcxt } =
    await import('@slipstream/adapter-broker-ccxt');
  const ccxt = await loadCcxt().catch((error: unknown) => {
    throw error instanceof CcxtMissing
      ? new SettingError(`BROKERS names ${name}, which ${error.message}`)
      : error;
  });
  const [venue, url] =
    name === 'kraken' ? [KRAKEN, settings.CCXT_URL_kraken] : [COINBASE, settings.CCXT_URL_coinbase];
  return ({ clock, live }) =>
    ccxtBroker(venue, { ccxt, clock, instruments: live.stocks, url: origin(url) });
}

/** Alpaca's SDK takes 60 ms and 12 MB, ccxt 500 ms and 80 MB: only a server that names one of their brokers loads it. */
async function loadMaker(settings: BrokerSettings, name: BrokerName): Promise<MakeBroker> {
  if (name === 'simulated') return simulated;
  if (name === 'kraken' || name === 'coinbase') return loadExchange(settings, name);
  const { LIVE, PAPER, alpacaBroker } = await import('@slipstream/adapter-broker-alpaca');
  const [kind, url] =
    name === 'alpaca'
      ? [LIVE, origin(settings.ALPACA_LIVE_URL)]
      : [PAPER, origin(settings.ALPACA_PAPER_URL)];
  const oauth = oauthClient(settings);
  return ({ clock, live }) =>
    alpacaBroker(kind, {
      ...{ clock, instruments: live.stocks, url, oauth },
      // Those to hundreds of bots often come together; what follows each takes half a millisecond.
      fetch: (...asked) => inTurn(fetch(...asked)),
    });
}

/** Answers of brokers go on one after the other, so that users' requests do not wait for all of them. */
const inTurn = oneATurn(systemPause);

/** Loads the brokers of the settings, and answers how to make all of this server's, by their names. */
export async function loadBrokers(
  settings: BrokerSettings,
  added: readonly Broker[],
): Promise<(parts: BrokerParts) => Brokers> {
  const makers = await Promise.all(settings.BROKERS.map((name) => loadMaker(settings, name)));
  return (parts) =>
    new Map(
      [...makers.map((make) => make(parts)), ...added.map((broker) => inTime(broker))].map(
        (broker) => [broker.name, broker],
      ),
    );
}
