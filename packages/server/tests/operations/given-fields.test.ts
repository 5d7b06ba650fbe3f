import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endpointSender } from '@slipstream/adapter-webhook';
import { fixedClock, testSecrets } from '@slipstream/adapter-memory/testing';
import { type Operation, type OperationName, openApi, operations } from '@slipstream/wire';
import { AT } from '../../../wire/src/example-ids.js';
import { someDetails } from '../../../wire/src/billing/examples.js';
import { type Answer } from '../helpers/call.js';
import { type ComposedServer, OPERATOR_TOKEN, composedServer } from '../helpers/composed-server.js';
import { vault } from '../helpers/vault-broker.js';
import { placed } from './table/bounds.js';
import { prepared, tokenFor } from './table/prepared.js';
import {
  type Fields,
  STOCK,
  type Placeholder,
  type Scene,
  anotherUser,
  earner,
  keptMails,
  newScene,
  placeholders,
} from './table/scene.js';

interface Schema {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

const { paths } = openApi({ version: 'test' }) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
};
interface Documented {
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly required?: boolean;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
}

/** Where each optional field of the request is; of the elements of a list, in the first. */
function optionalOf({ path, method }: Operation): (readonly (string | number)[])[] {
  const { parameters = [], requestBody } = paths[path]?.[method.toLowerCase()] ?? {};
  const within = ({ properties = {}, required = [] }: Schema, at: readonly (string | number)[]) =>
    Object.entries(properties).flatMap(([name, schema]): (readonly (string | number)[])[] => [
      ...(required.includes(name) ? [] : [[...at, name]]),
      ...(schema.items?.properties ? within(schema.items, [...at, name, 0]) : []),
    ]);
  const body = requestBody?.content['application/json']?.schema;
  if (body) return within(body, []);
  return parameters
    .filter(({ in: place, required }) => place === 'query' && required !== true)
    .map(({ name }) => [name.replace('[]', '')]);
}

type Given = (scene: Scene) => unknown;

/** A value of each field that is neither its default nor the example's. */
const ANOTHER: Readonly<Record<string, unknown>> = {
  account_id: 'another',
  acknowledge_breach: true,
  alert_id: 'another',
  allocations: [],
  allow_stocks: ['MSFT:NASDAQ'],
  alert_watch: 24,
  amount: '0.001',
  chat_id: 'another',
  claimed: 'true',
  at: '2020-01-01T00:00:00.000Z',
  basis: 'hypothetical',
  bio: 'Another.',
  bot_id: ['not-there'],
  bot_token: 'another',
  broker: 'another',
  categories: ['another'],
  category: ['another'],
  close_on_stop: true,
  credentials: { starting_balance: '777' },
  cursor: 'not-there',
  day: '2020-01-01',
  deny_stocks: ['MSFT:NASDAQ'],
  description: 'Another.',
  direction: 'out',
  district: 'Another.',
  dry_run: true,
  events: ['bot.stopped'],
  exchange: 'NYSE',
  existing_positions: 'keep',
  price_collar: '0.03',
  max_spread: '0.05',
  max_drawdown: '2',
  max_price: '1',
  min_age_days: '5',
  mine: 'true',
  sort: 'another',
  limits: { max_capital: '5000' },
  on_breach: 'close',
  expires_at: '2027-01-01T00:00:00.000Z',
  fee: '0.003',
  figi_composite: 'BBG000B9XRY4',
  format: 'csv',
  from: '2020-01-01',
  benchmark: 'BTC:COINBASE',
  id: 'not-there',
  input_date: '2020-01-01T00:00:00.000Z',
  input_value: '777',
  interval: '1h',
  join: 'new_only',
  invited_user_ids: (async ({ server }) => [
    (await server.ask('verifyToken', {}, await anotherUser(server))).user_id,
  ]) satisfies Given,
  invoice_id: ['not-there'],
  leverage: '0.4',
  limit: '1',
  line_two: 'Another.',
  min_n: '5',
  risk_free: '0.02',
  to: '2020-02-01',
  links: { another: 'https://another.example' },
  live: true,
  market_position: 'flat',
  market_position_size: '1',
  mode: 'paused',
  name: 'Another',
  notification_id: [],
  notifications: ['error'],
  order_dependencies: ['not-there'],
  order_status: 'filled',
  password: 'another password',
  peg: 'EUR',
  prev_market_position_size: '2',
  price: 7,
  primary: true,
  private: true,
  proof: 'false',
  provider: 'another',
  pyramiding: 3,
  query: 'bitcoin',
  rebalance: { band: '0.05' },
  rebalance_on_start: false,
  reduce_only: true,
  ref_id: 'not-there',
  reset_code: 'not-there',
  rotate_secret: true,
  sector: 'Another',
  security: 'cryptocurrency',
  settle_price: '5',
  slippage: '0.03',
  source_id: 'not-there',
  status: 'failed',
  stock: 'OTHER',
  stock_id: 'MSFT:NASDAQ',
  stock_status: 'delisted',
  stop_price: '150',
  strategy_id: 'not-there',
  strategy_ids: [],
  symbol: 'OTHER',
  telegram: 'https://t.me/another',
  timeframe: 'year',
  total: '0.1',
  totp: '000000',
  type: 'stop_limit',
  url: 'https://another.example',
  user_id: 'not-there',
  value_levels: ['1.1'],
  website: 'https://another.example',
  x: 'https://x.com/another',
  youtube: 'https://youtube.com/another',
};

/** Fields of a bot that change its orders, where the strategy holds something. */
const SHAPING_A_PLAN = ['allocations', 'leverage', 'price_collar', 'mode', 'allow_stocks'];

/** What changes nothing where the example is, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'newQuotes quotes.0.at': 'the example is of a moment that has passed; see of now',
  'getBotOrders limit': 'the bot of the example has ordered once',
  'getDeliveries limit': 'the endpoint of the example was told once',
  ...Object.fromEntries(
    ['timeframe', 'from', 'interval'].map((name) => [
      `getStrategyHistory ${name}`,
      'a strategy of today is as old in each (application: value-history.test.ts)',
    ]),
  ),
  ...Object.fromEntries(
    ['timeframe', 'from', 'min_n'].map((name) => [
      `getStrategyStatistics ${name}`,
      'a strategy of today has no day that is over (application: strategy-statistics.test.ts)',
    ]),
  ),
  ...Object.fromEntries(
    ['getTrades', 'getOrders', 'getInvoices', 'getBotOrders'].map((name) => [
      `${name} from`,
      'everything is later (tables.test.ts)',
    ]),
  ),
  'getReport timeframe': 'a strategy of today has no day that is over',
  'getBotHistory timeframe': 'a bot of today is as old in each',
  ...Object.fromEntries(
    ['timeframe', 'from', 'min_n'].map((name) => [
      `getBotStatistics ${name}`,
      'a bot of today has no day that is over (domain: account-statistics.test.ts)',
    ]),
  ),
  'previewBot name': 'a preview shows no name; it takes every field of a bot',
  'updateBot broker': 'needs other credentials (application: another-broker.test.ts)',
  'previewBot broker': 'needs other credentials (application: another-broker.test.ts)',
  'newBot credentials': 'sealed; the account that they open shows it (bot-fields.test.ts)',
  ...Object.fromEntries(
    [...SHAPING_A_PLAN, 'slippage', 'existing_positions', 'deny_stocks', 'join', 'rebalance'].map(
      (name) => [
        `previewBot ${name}`,
        'the strategy of the example holds nothing (application: preview-bot.test.ts)',
      ],
    ),
  ),
  ...Object.fromEntries(
    [
      'rebalance_on_start',
      'close_on_stop',
      'notifications',
      'dry_run',
      'max_spread',
      'on_breach',
    ].map((name) => [`previewBot ${name}`, 'has no part in what the bot would do now']),
  ),
  'newPaymentSource primary': 'the first source is the primary one; see beside another',
  'startBot rebalance_on_start': 'how the bot goes about it is seen in its orders (mirroring)',
  'stopBot close_on_stop': 'how the bot goes about it is seen in its orders (mirroring)',
  'previewOrderWebhook alert_id': 'the body of an alert is taken as it is; nothing is kept of it',
  'previewOrderWebhook market_position_size': 'ignored without the other two (contract 7b.3)',
  'previewOrderWebhook prev_market_position_size': 'ignored without the other two (contract 7b.3)',
};

/** What these change stays, for every scene, or depends on the moment. */
const UNREPEATABLE: readonly string[] = ['updateStocks', 'newQuotes', 'deleteTotp'];

let server: ComposedServer;
const names = Object.keys(operations) as OperationName[];
/** Ids, secrets and the names of the scenes' users by the order in which they come. */
function alike(text: string): string {
  const seen = new Map<string, string>();
  return text.replace(
    /[0-9a-f]{8}-[0-9a-f-]{27}|slip[a-z]*_[\w-]+|(?:owner|another|signed-up-owner|liker-of)-[\w-]+|(?:new|moved)-\d+/gu,
    (found) => {
      const known = seen.get(found) ?? `#${seen.size}`;
      seen.set(found, known);
      return known;
    },
  );
}

const inBrief = ({ status, text }: Answer): string => alike(`${status} ${text}`);

const LATER: readonly (readonly [OperationName, Fields])[] = [
  ['getUserInfo', {}],
  ['getTokens', {}],
  ['getUserExport', { limit: '100' }],
  ['getBots', {}],
  ['getStrategySubscriptions', {}],
  ['getInvoices', {}],
  ['getStocks', { stock_id: [STOCK] }],
];

const SIZES = ['market_position', 'market_position_size', 'prev_market_position_size'];

/** A position of the platform that shrinks, and so the holding. */
async function partialExit({ server, owner, real }: Scene) {
  const strategy_id = await real('strategy');
  const order = { strategy_id, stock_id: STOCK, action: 'buy', amount: '0.002' };
  await server.ask('newOrder', order, owner);
  const sizes = { market_position_size: '5', prev_market_position_size: '10' };
  const alert = { strategy_id, stock_id: STOCK, action: 'sell', market_position: 'long' };
  return { token: owner, fields: { ...alert, ...sizes } };
}

type Situation = (scene: Scene) => Promise<{ readonly token: string; readonly fields: Fields }>;

/** Where some fields do something else than in the example. */
const SITUATIONS: Readonly<Record<string, readonly [readonly string[], Situation]>> = {
  'newStrategySubscription, taking back an end': [
    ['price', 'input_value', 'input_date'],
    async (scene) => {
      const { server, owner } = scene;
      const token = await anotherUser(server);
      const given = { type: 'stock', name: 'Paid', price: 9 };
      const { strategy_id } = await server.ask('newStrategy', given, owner);
      await server.ask('newPaymentSource', { token: 'test_card_paid', ...someDetails }, token);
      await server.ask('newStrategySubscription', { strategy_id, price: 9 }, token);
      await server.ask('deleteStrategySubscription', { strategy_id }, token);
      const input_date = new Date(server.clock.now()).toISOString();
      return { token, fields: { strategy_id, price: 9, input_value: '5', input_date } };
    },
  ],
  'newPaymentSource, beside another': [
    ['primary'],
    async ({ server }) => {
      const token = await anotherUser(server);
      await server.ask('newPaymentSource', { token: 'test_card_paid', ...someDetails }, token);
      return { token, fields: { token: 'test_card_retried', ...someDetails } };
    },
  ],
  'newQuotes, of now': [
    ['quotes.0.at'],
    async ({ server }) => {
      const at = new Date(server.clock.now()).toISOString();
      const quote = { stock_id: STOCK, bid: '199.98', ask: '200.02', last: '200', at };
      return { token: OPERATOR_TOKEN, fields: { quotes: [quote] } };
    },
  ],
  'previewBot, of a strategy that holds something': [
    SHAPING_A_PLAN,
    async ({ server, owner, real }) => {
      const strategy_id = await real('strategy');
      const order = { strategy_id, stock_id: STOCK, action: 'buy', amount: '0.002' };
      await server.ask('newOrder', order, owner);
      return { token: owner, fields: { bot_id: await real('bot') } };
    },
  ],
  'newOrderWebhook, that exits in part': [SIZES, partialExit],
  'previewOrderWebhook, that exits in part': [SIZES, partialExit],
};

/** Opens a server for the tests of one rule. */
function openServer(): void {
  beforeAll(async () => {
    const { oneTimePasswords, passwords } = testSecrets();
    server = await composedServer({
      clock: fixedClock(Date.parse(AT)),
      adapters: {
        mailer: keptMails,
        oneTimePasswords,
        passwords,
        endpointSender: { ...endpointSender(), newSecret: () => 'whsec_YWx3YXlzIHRoZSBzYW1l' },
        addBrokers: [vault([])],
      },
    });
    await server.quotes({ [STOCK]: [199.98, 200.02] });
  });
  afterAll(() => server.close());
}

type Change = readonly [field: readonly (string | number)[], value: unknown];

/** Without the situation. */
const operationOf = (what: string) => what.split(',')[0] as OperationName;

/** What comes of a request in a scene of its own: the answer, and what is read of its sender later. */
async function outcomeOf(what: string, change?: Change) {
  const name = operationOf(what);
  const scene = await newScene(server);
  const situation = await SITUATIONS[what]?.[1](scene);
  const token = situation?.token ?? (await tokenFor(name, scene));
  const request = situation?.fields ?? (await prepared(name, scene));
  const [field, another] = change ?? [];
  const value = typeof another === 'function' ? await (another as Given)(scene) : another;
  const given = field ? (placed(request, field, value) as Fields) : request;
  const answer = inBrief(await server.attempt(name, given, token));
  const reads = async (): Promise<string> => {
    const texts: string[] = [];
    for (const [read, fields] of LATER)
      texts.push((await server.attempt(read, fields, token ?? scene.owner)).text);
    return alike(texts.join('\n'));
  };
  return { answer, reads };
}

type Outcome = Awaited<ReturnType<typeof outcomeOf>>;

/** By what the two differ, if they do; what is read later is only asked for where the answers are the same. */
const differenceOf = async (
  one: Outcome,
  other: Outcome,
): Promise<'answer' | 'reads' | undefined> => {
  if (one.answer !== other.answer) return 'answer';
  return (await one.reads()) === (await other.reads()) ? undefined : 'reads';
};

const writes = [
  ...names.filter((name) => operations[name].method === 'POST'),
  ...Object.keys(SITUATIONS),
];
const fieldsOf = (what: string) =>
  optionalOf(operations[operationOf(what)]).filter((field) => {
    const name = field.join('.');
    const [only] = SITUATIONS[what] ?? [];
    return only ? only.includes(name) : EXCEPTIONS[`${what} ${name}`] === undefined;
  });

/** What of a list is asked for, where the example is of nothing that there is two of. */
const READ_AS: { readonly [Name in OperationName]?: Fields } = {
  getStrategySubscriptions: { strategy_id: [] },
  findStocks: { query: 'a' },
  findStrategies: { query: 'e', max_drawdown: '1' },
};

/** A user with two of everything that is listed. */
async function richScene(): Promise<Scene> {
  const scene = await newScene(server);
  const { owner } = scene;
  for (const kind of Object.keys(placeholders) as Placeholder[]) await scene.real(kind);
  const strategy_id = await scene.real('strategy');
  const order = { strategy_id, stock_id: STOCK, action: 'buy', amount: '0.0001' };
  await server.ask('newOrder', order, owner);
  await server.ask('newOrder', order, owner);
  await server.ask('newStrategy', { type: 'stock', name: 'Second' }, owner);
  await server.ask('newPost', { text: 'One' }, owner);
  await server.ask('newPost', { text: 'Two', strategy_id }, owner);
  for (const action of ['buy', 'sell'])
    await server.ask(
      'newOrderWebhook',
      { strategy_id, stock_id: STOCK, action, api_token: owner },
      owner,
    );
  await server.quotes({ 'MSFT:NASDAQ': 400 });
  await server.ask('newOrder', { ...order, stock_id: 'MSFT:NASDAQ' }, owner);
  await server.ask('newOrder', { ...order, type: 'limit', price: '1' }, owner);
  await server.ask('newOrder', { ...order, type: 'limit', price: '2' }, owner);
  for (const amount of ['0.01', '0.02']) {
    const dividend = { stock_id: 'MSFT:NASDAQ', kind: 'cash_dividend', amount };
    await server.ask('newStockAction', dividend, OPERATOR_TOKEN);
  }
  await server.ask('startBot', { bot_id: await scene.real('bot') }, owner);
  for (let runs = 0; runs < 3; runs += 1) await server.application.background.runBots();
  const priced = { type: 'stock', name: 'Priced', price: 3 };
  const paid = await server.ask('newStrategy', priced, await anotherUser(server));
  await server.ask('newStrategySubscription', { strategy_id: paid.strategy_id, price: 3 }, owner);
  const withdrawal = { amount: '1', password: 'correct horse battery' };
  for (let times = 0; times < 2; times += 1)
    await server.ask('newWithdrawal', withdrawal, await earner(server));
  const post_id = await scene.real('post');
  await server.ask('newLike', { post_id }, await anotherUser(server));
  await server.application.background.rankStrategies();
  return scene;
}

describe('every optional field of a read', () => {
  openServer();

  it('changes its answer, or is refused', async () => {
    const scene = await richScene();
    const ignored: string[] = [];
    for (const name of names.filter((each) => operations[each].method === 'GET')) {
      const token = name === 'getWithdrawals' ? await earner(server) : await tokenFor(name, scene);
      const request = { ...(await prepared(name, scene)), ...READ_AS[name] };
      const base = await server.attempt(name, request, token);
      expect([name, base.status]).toEqual([name, 200]);
      for (const field of fieldsOf(name)) {
        const value = ANOTHER[String(field[0])];
        expect([name, value]).not.toEqual([name, undefined]);
        const { status, text } = await server.attempt(
          name,
          placed(request, field, value) as Fields,
          token,
        );
        if (status === base.status && text === base.text)
          ignored.push(`${name} ${field.join('.')}`);
      }
    }
    expect(ignored).toEqual([]);
  });
});

describe('every optional field of a request that changes something', () => {
  openServer();

  it.each(writes.filter((what) => fieldsOf(what).length > 0))(
    'changes something, or is refused: %s',
    async (what) => {
      const base = await outcomeOf(what);
      const differences = new Map<string, 'answer' | 'reads' | undefined>();
      for (const field of fieldsOf(what)) {
        const last = String(field.at(-1));
        expect(ANOTHER).toHaveProperty(last);
        const outcome = await outcomeOf(what, [field, ANOTHER[last]]);
        differences.set(field.join('.'), await differenceOf(outcome, base));
      }
      const ignored = [...differences].filter(([, difference]) => difference === undefined);
      expect(ignored).toEqual([]);
      if (UNREPEATABLE.includes(operationOf(what))) return;
      // Nothing that this test did not change makes the difference.
      const again = await outcomeOf(what);
      expect(again.answer).toBe(base.answer);
      if ([...differences.values()].includes('reads'))
        expect(await again.reads()).toBe(await base.reads());
    },
  );
});
