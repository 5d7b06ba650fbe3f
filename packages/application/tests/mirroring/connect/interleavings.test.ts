import { describe, expect, it } from '@jest/globals';
import { simulatedBroker } from '@slipstream/adapter-broker-simulated';
import { memoryPorts } from '@slipstream/adapter-memory/testing';
import { ONE, decimal } from '@slipstream/domain';
import type { Broker } from '@slipstream/ports';
import type { Caller } from '../../../src/index.js';
import { PASSWORD, userOf } from '../../accounts.js';
import type { App } from '../../app.js';
import { type Fixture, fixture } from '../../fixture.js';
import { outcomesAmid } from '../../interleavings.js';

const unused = async (): Promise<never> => {
  throw new Error('not needed');
};

/** A broker that gives access on a page of its own: the code is the key of an account. */
const another: Broker = {
  name: 'another',
  live: false,
  asksFor: [{ name: 'key', description: 'The key.', required: true, example: 'k' }],
  consent: {
    page: ({ state }) => `https://another.example/${state}`,
    redeem: async (key) => ({ key }),
  },
  link: async ({ credentials }) => ({
    accountId: `account of ${String(credentials['key'])}`,
    credentials,
    label: 'another',
    live: false,
    holdings: [],
    warnings: [],
  }),
  account: async () => ({
    equity: decimal('10000'),
    cash: decimal('10000'),
    buyingPower: decimal('10000'),
    maxGross: ONE,
    positions: [],
    allows: 'all',
    because: null,
  }),
  rules: async () => new Map(),
  place: unused,
  find: async () => new Map(),
  cancel: unused,
};

interface World extends Fixture {
  readonly ada: Caller;
  readonly botId: string;
  /** Of a connection that is begun, and one that no bot has taken. */
  readonly state: string;
  readonly connectionId: string;
}
type Ask = (app: App, world: World) => Promise<unknown>;

/** A follower with a bot that is off, and access to two more accounts. */
async function world(): Promise<World> {
  const { unitOfWork, ids, clock } = memoryPorts();
  const none = () => undefined;
  const market = () => ({
    ...{ now: clock.now(), stock: none, quote: none, freshQuote: none, session: none },
  });
  const simulated = simulatedBroker({ unitOfWork, ids, market });
  const brokers = new Map([simulated, another].map((broker) => [broker.name, broker]));
  const made = await fixture({ brokers });
  const { app } = made;
  const strategyId = await made.strategy(await made.user('owner'));
  const ada = await made.user('ada');
  await app.newStrategySubscription(ada, { strategyId, price: 0 });
  const begins = async (): Promise<string> =>
    (await app.newConnection(ada, { broker: 'another' })).url.split('/').at(-1) ?? '';
  const { id: connectionId } = await app.finishConnection(ada, {
    code: 'k1',
    state: await begins(),
  });
  const { id: botId } = await app.newBot(ada, {
    ...{ type: 'stock', broker: 'another', credentials: { key: 'k0' } },
    allocations: [{ strategyId, percent: ONE }],
  });
  return { ...made, ada, botId, connectionId, state: await begins() };
}

const ASKS = {
  newBot: (app, { ada, connectionId }) =>
    app.newBot(ada, {
      ...{ type: 'stock', broker: 'another', credentials: { connection_id: connectionId } },
    }),
  finishConnection: (app, { ada, state }) => app.finishConnection(ada, { code: 'k2', state }),
  'updateBot to another broker': (app, { ada, botId }) =>
    app.updateBot(ada, { botId, broker: 'simulated', credentials: {} }),
  'updateBot with other access': (app, { ada, botId }) =>
    app.updateBot(ada, { botId, credentials: { key: 'k0' } }),
  startBot: (app, { ada, botId }) => app.startBot(ada, { botId }),
  deleteBot: (app, { ada, botId }) => app.deleteBot(ada, { botId }),
  deleteUser: (app, { ada }) => app.deleteUser(ada, { password: PASSWORD }),
} as const satisfies Record<string, Ask>;
type Name = keyof typeof ASKS;

const PAIRS: readonly (readonly [flow: Name, others: readonly Name[]])[] = [
  ['newBot', ['newBot', 'deleteUser']],
  ['finishConnection', ['finishConnection', 'deleteUser']],
  [
    'updateBot to another broker',
    ['updateBot with other access', 'startBot', 'deleteBot', 'deleteUser'],
  ],
  [
    'updateBot with other access',
    ['updateBot to another broker', 'startBot', 'deleteBot', 'deleteUser'],
  ],
  ['startBot', ['updateBot to another broker', 'deleteBot', 'deleteUser']],
];
const pairs = PAIRS.flatMap(([flow, others]) => others.map((other) => ({ flow, other })));

/** The bots with their access, and the connections. */
const keptOf = ({ ports: { unitOfWork, secretBox }, ada }: World): Promise<readonly string[]> =>
  unitOfWork.read(async (stores) => {
    const bots = await stores.bots.listOf(userOf(ada));
    const connections = await stores.connections.listOf(userOf(ada));
    return [
      ...bots.map(({ id, broker, accountId, status, sealedCredentials }) => {
        const access = secretBox.open(sealedCredentials, `bot_credentials|${id}`);
        return `${broker} ${accountId} ${status} ${access}`;
      }),
      ...connections.map(({ progress }) => progress.kind),
    ].map((text) => text.replaceAll(/id-\d+/g, '…'));
  });

/** What there is after the other one alone. */
async function keptAfter(ask: Ask): Promise<readonly string[]> {
  const begun = await world();
  await ask(begun.app, begun);
  return keptOf(begun);
}

describe('at every moment of what asks a broker for access', () => {
  it.each(pairs)(
    'another request comes before or after the whole of it, or has it refused: $flow, amid it $other',
    async ({ flow, other }) => {
      const alone = await keptAfter(ASKS[other]);
      const outcomes = await outcomesAmid({
        begin: world,
        flow: ASKS[flow],
        other: ASKS[other],
        outcome: async (_, begun, ended) => ({
          isAnswered: ended.flow === 'answered',
          kept: await keptOf(begun),
        }),
      });
      const last = Math.max(...outcomes.flatMap(({ moments }) => moments));
      const wrong = outcomes.filter(({ became: { isAnswered, kept }, moments }) => {
        const isRefused = !isAnswered && JSON.stringify(kept) === JSON.stringify(alone);
        return !isRefused && !moments.includes(1) && !moments.includes(last);
      });
      expect(wrong).toEqual([]);
    },
  );
});
