import { ONLY_BY_NAME, DAY } from '@slipstream/domain';
import { ids } from '../../../../wire/src/example-ids.js';
import { paymentIds, someDetails } from '../../../../wire/src/billing/examples.js';
import type { Mail, Mailer } from '@slipstream/ports';
import type { ComposedServer } from '../../helpers/composed-server.js';

/** What the server of the table mailed; its second factor takes codes that tests can tell. */
export const mails: Mail[] = [];
export const keptMails: Mailer = { send: async (mail) => void mails.push(mail) };

/** The code that was mailed to the address. */
export async function codeFor({ server }: Scene, address: string): Promise<string> {
  const found = () => mails.findLast(({ to, text }) => to === address && text.includes('code='));
  for (let rounds = 0; found() === undefined && rounds < 50; rounds += 1)
    await server.application.background.sendMails();
  return /code=(\S+)/.exec(found()?.text ?? '')?.[1] ?? '';
}

const enrolled = new WeakMap<Scene, Promise<{ readonly token: string; readonly totp: string }>>();

/** A user of the scene who has a secret for the second factor, and the code of this moment. */
export function withSecret(scene: Scene, isOn: boolean) {
  const enrol = async () => {
    const { server } = scene;
    const { token: refresh, password } = await scene.signedUp();
    const { token } = await server.ask('newToken', { name: 'all', scope: ['*'] }, refresh);
    const { secret } = await server.ask('newTotp', { password }, token);
    const code = () => `${secret}:${Math.floor(server.clock.now() / 30_000)}`;
    if (isOn) {
      await server.ask('confirmTotp', { totp: code() }, token);
      server.clock.advance(30_000);
    }
    return { token, totp: code() };
  };
  const known = enrolled.get(scene) ?? enrol();
  enrolled.set(scene, known);
  return known;
}

export type Fields = Readonly<Record<string, unknown>>;
/** Every id that stands in an example. */
export const placeholders = { ...ids, ...paymentIds };
export type Placeholder = keyof typeof placeholders;

/** Who acts in a test of the table, and the things of their own that its example names, made when they are asked for. */
export interface Scene {
  readonly server: ComposedServer;
  /** A token of every scope. */
  readonly owner: string;
  /** A strategy that only the owner sees, or everybody. */
  readonly isPrivate: boolean;
  /** The real thing behind a placeholder of the examples. */
  real(placeholder: Placeholder): Promise<string>;
  /** A user who signed up and in: the password and a refresh token. */
  signedUp(): Promise<{
    readonly email: string;
    readonly password: string;
    readonly token: string;
  }>;
}

/** A price at which nothing fills by itself. */
const FAR = '1';
export const STOCK = 'AAPL:NASDAQ';

type Maker = (scene: Scene) => Promise<string>;

/** The state of a connection to the vault that the owner began. */
export async function askedState({ server, owner }: Scene): Promise<string> {
  const { url } = await server.ask('newConnection', { broker: 'vault' }, owner);
  return new URL(url).searchParams.get('state') ?? '';
}

const order = async (scene: Scene, fields: Fields): Promise<string> => {
  const strategy_id = await scene.real('strategy');
  const given = { strategy_id, stock_id: STOCK, action: 'buy', amount: '0.001', ...fields };
  return (await scene.server.ask('newOrder', given, scene.owner)).order_id;
};

/** How the owner comes by a thing of each kind that examples name (wire/src/example-ids.ts). */
const MAKERS: Readonly<Record<Placeholder, Maker>> = {
  user: async ({ server, owner }) => (await server.ask('verifyToken', {}, owner)).user_id,
  token: async ({ server, owner }) =>
    (await server.ask('newToken', { name: 'made', scope: ['getBots'] }, owner)).token_id,
  strategy: async ({ server, owner, isPrivate }) => {
    const given = { type: 'stock', name: 'Made', private: isPrivate };
    return (await server.ask('newStrategy', given, owner)).strategy_id;
  },
  stock: async ({ server }) =>
    (await server.ask('getStocks', { stock_id: [STOCK] }))[0]?.stock_id ?? '',
  order: (scene) => order(scene, { type: 'limit', price: FAR }),
  trade: async (scene) => {
    await order(scene, {});
    const strategy_id = await scene.real('strategy');
    const [trade] = await scene.server.ask('getTrades', { strategy_id }, scene.owner);
    return trade?.trade_id ?? '';
  },
  subscription: async (scene) => {
    const own = await scene.server.ask('getStrategySubscriptions', {}, scene.owner);
    return own[0]?.subscription_id ?? '';
  },
  bot: async (scene) => {
    const allocations = [{ strategy_id: await scene.real('strategy'), percent: '1' }];
    const credentials = { starting_balance: '10000' };
    const given = { type: 'stock', broker: 'simulated', allocations, credentials };
    return (await scene.server.ask('newBot', given, scene.owner)).bot_id;
  },
  source: async ({ server, owner }) => {
    const card = { token: 'test_card_paid', ...someDetails };
    return (await server.ask('newPaymentSource', card, owner)).source_id;
  },
  invoice: async ({ server, owner }) => {
    const strategy_id = await pricedStrategy(server, await anotherUser(server));
    const declined = { token: 'test_card_declined', ...someDetails };
    await server.ask('newPaymentSource', declined, owner);
    await server.ask('newStrategySubscription', { strategy_id, price: PRICE }, owner);
    const card = { token: 'test_card_paid', primary: true, ...someDetails };
    await server.ask('newPaymentSource', card, owner);
    return (await server.ask('getInvoices', { status: 'failed' }, owner))[0]?.invoice_id ?? '';
  },
  withdrawal: async ({ server }) =>
    (await server.ask('newWithdrawal', { amount: '1', password: PASSWORD }, await earner(server)))
      .withdrawal_id,
  /** Of another bot, so that the bot of the scene can start. */
  halt: async ({ server, owner }) => {
    const other = { type: 'stock', broker: 'simulated', allocations: [] };
    const { bot_id } = await server.ask('newBot', other, owner);
    const given = { scope: 'bot', id: bot_id, reason: 'Made' };
    return (await server.ask('haltTrading', given, owner)).halt_id;
  },
  connection: async (scene) => {
    const given = { code: 'made', state: await askedState(scene) };
    return (await scene.server.ask('finishConnection', given, scene.owner)).connection_id;
  },
  plan: async ({ server, owner }) => {
    const planned = { operation: 'newPost', body: { text: 'Planned' } };
    return (await server.ask('preparePlan', planned, owner)).plan_id;
  },
  /** At a name that never has an address. */
  endpoint: async ({ server, owner }) => {
    const given = { kind: 'webhook', url: 'https://receiver.invalid', events: ['order.filled'] };
    return (await server.ask('newEndpoint', given, owner)).endpoint_id;
  },
  delivery: async (scene) => {
    const endpoint_id = await scene.real('endpoint');
    await order(scene, {});
    await scene.server.application.background.sendEvents();
    const [sent] = await scene.server.ask('getDeliveries', { endpoint_id }, scene.owner);
    return sent?.delivery_id ?? '';
  },
  post: async ({ server, owner }) => (await server.ask('newPost', { text: 'Made' }, owner)).post_id,
  notification: async (scene) => {
    const { server, owner } = scene;
    await server.ask('updateUserNotifications', { notifications: ['like'] }, owner);
    const post_id = await scene.real('post');
    await server.ask('newLike', { post_id }, await server.user(`liker-of-${post_id}`));
    const [made] = await server.ask('getNotifications', {}, owner);
    return made?.notification_id ?? '';
  },
};

let others = 0;
export const anotherUser = (server: ComposedServer): Promise<string> =>
  server.user(`another-${++others}`);

const PRICE = 1000;
/** As the examples have it. */
const PASSWORD = 'correct horse battery';
const pricedStrategy = async (server: ComposedServer, owner: string): Promise<string> =>
  (await server.ask('newStrategy', { type: 'stock', name: 'Priced', price: PRICE }, owner))
    .strategy_id;

const earners = new WeakMap<ComposedServer, Promise<string>>();

/** The token of somebody whose earnings are settled, a week after the month they are for: one for all tests. */
export function earner(server: ComposedServer): Promise<string> {
  const known = earners.get(server) ?? earned(server);
  earners.set(server, known);
  return known;
}

/** The token of every scope of a user with a password, which takes its time. */
async function withPassword(server: ComposedServer): Promise<string> {
  const account = { email: 'earner@example.com', password: PASSWORD };
  await server.ask('newUser', account);
  const { token } = await server.ask('newSession', account);
  return (await server.ask('newToken', { name: 'all', scope: ['*', ...ONLY_BY_NAME] }, token))
    .token;
}

async function earned(server: ComposedServer): Promise<string> {
  const [owner, payer] = [await withPassword(server), await anotherUser(server)];
  const strategy_id = await pricedStrategy(server, owner);
  const bank = { token: 'test_bank', direction: 'out', password: PASSWORD, ...someDetails };
  await server.ask('newPaymentSource', bank, owner);
  await server.ask('newPaymentSource', { token: 'test_card_paid', ...someDetails }, payer);
  await server.ask('newStrategySubscription', { strategy_id, price: PRICE }, payer);
  for (let day = 0; day < 40; day += 1) {
    server.clock.advance(DAY);
    await server.application.background.runBilling();
  }
  return owner;
}

/** A strategy that is over: short in a coin that has become too dear, for fifteen minutes. */
export async function endedStrategy({ server, owner }: Scene): Promise<string> {
  const stock_id = 'DOGE:COINBASE';
  const given = { type: 'cryptocurrency', name: 'Lost' };
  const { strategy_id } = await server.ask('newStrategy', given, owner);
  await server.quotes({ [stock_id]: 100 });
  const order = { strategy_id, stock_id, action: 'sell', type: 'market', amount: '0.01' };
  await server.ask('newOrder', order, owner);
  for (let quotes = 0; quotes < 40; quotes += 1) {
    server.clock.advance(30_000);
    await server.quotes({ [stock_id]: 300 });
    await server.application.background.tick();
  }
  return strategy_id;
}

let scenes = 0;

/** A user who has nothing yet. */
export async function newScene(server: ComposedServer, isPrivate = false): Promise<Scene> {
  scenes += 1;
  const name = `owner-${scenes}`;
  await server.quotes({ [STOCK]: [199.98, 200.02] });
  const made = new Map<Placeholder, Promise<string>>();
  const scene: Scene = {
    server,
    isPrivate,
    owner: await server.user(name),
    real(placeholder) {
      const make = MAKERS[placeholder] as Maker | undefined;
      if (!make) {
        throw new Error(
          `wire/src/example-ids.ts has "${placeholder}": add to MAKERS in operations/table/scene.ts how a user comes by one`,
        );
      }
      const thing = made.get(placeholder) ?? make(scene);
      made.set(placeholder, thing);
      return thing;
    },
    async signedUp() {
      const account = { email: `signed-up-${name}@example.com`, password: PASSWORD };
      await server.ask('newUser', account);
      return { ...account, token: (await server.ask('newSession', account)).token };
    },
  };
  return scene;
}

const kinds = new Map<unknown, Placeholder>(
  Object.entries(placeholders).map(([kind, id]) => [id, kind as Placeholder]),
);

/** The kinds of thing that a request names. */
export const namedIn = (value: unknown): Placeholder[] =>
  [...kinds].filter(([id]) => JSON.stringify(value).includes(String(id))).map(([, kind]) => kind);

/** The request with a real thing for each placeholder. */
export async function withRealIds(scene: Scene, request: unknown): Promise<Fields> {
  let text = JSON.stringify(request);
  for (const kind of namedIn(request)) {
    text = text.replaceAll(placeholders[kind], await scene.real(kind));
  }
  return JSON.parse(text) as Fields;
}
