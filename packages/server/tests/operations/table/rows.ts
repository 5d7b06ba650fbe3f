import { type OperationName, operations } from '@slipstream/wire';
import {
  type Fields,
  type Scene,
  anotherUser,
  askedState,
  codeFor,
  earner,
  endedStrategy,
  placeholders,
  withSecret,
} from './scene.js';

/** What a test must know of an operation beyond its entry in the table of wire. */
export interface Row {
  /** Brings about what the example takes for granted. */
  readonly prepare?: (scene: Scene) => Promise<void>;
  /** Fields that the worked example cannot have right for every server. */
  readonly fields?: (scene: Scene) => Fields | Promise<Fields>;
  /** Whose token it is sent with, when it is not the owner's. */
  readonly token?: (scene: Scene) => Promise<string>;
  /**
   * What a stranger gets who names the owner's things: `refused` (400, not_found or not_owner), `left out` (an empty array),
   * or `public` where the things are everybody's. Told only where it is not refused, or left out of a query's array.
   */
  readonly toStrangers?: 'refused' | 'left out' | 'public';
  /** Without a token another request than the example is taken. */
  readonly exampleNeedsToken?: boolean;
  /** Someone else's things, where the worked example names none although it could. */
  readonly foreign?: Fields;
}

const startBot = async ({ server, owner, real }: Scene): Promise<void> => {
  await server.ask('startBot', { bot_id: await real('bot') }, owner);
};
const asSignedUp = async (scene: Scene): Promise<string> => (await scene.signedUp()).token;
const withPassword = async (scene: Scene): Promise<string> => {
  const given = { name: 'all', scope: ['*'] };
  return (await scene.server.ask('newToken', given, await asSignedUp(scene))).token;
};
/** A minute after the mail of the sign-up another one is sent. */
const unconfirmed = async (scene: Scene): Promise<string> => {
  const token = await withPassword(scene);
  scene.server.clock.advance(60_000);
  return token;
};
const now = ({ server }: Scene): Fields => ({
  input_date: new Date(server.clock.now()).toISOString(),
});
const subscribed = async ({ server, real }: Scene): Promise<string> => {
  const token = await anotherUser(server);
  await server.ask('newStrategySubscription', { strategy_id: await real('strategy') }, token);
  return token;
};
let addresses = 0;

/** Operations whose example does not work as it stands, with real ids in place of the placeholders. */
export const ROWS: Readonly<Partial<Record<OperationName, Row>>> = {
  deleteClaimedHistory: {
    prepare: async ({ server, owner, real }) => {
      const { request } = operations.newClaimedHistory.example;
      const strategy_id = await real('strategy');
      await server.ask('newClaimedHistory', { ...request, strategy_id }, owner);
    },
  },
  newUser: { fields: () => ({ email: `new-${++addresses}@example.com` }) },
  newSession: { fields: async (scene) => ({ email: (await scene.signedUp()).email }) },
  // Bound to a strategy that its owner may never see a token opens nothing.
  newToken: { toStrangers: 'public' },
  updatePassword: { token: asSignedUp, exampleNeedsToken: true },
  newEmailConfirmation: { token: unconfirmed },
  confirmEmail: {
    fields: async (scene) => ({ code: await codeFor(scene, (await scene.signedUp()).email) }),
  },
  updateEmail: {
    token: withPassword,
    fields: () => ({ email: `moved-${++addresses}@example.com` }),
  },
  newTotp: { token: withPassword },
  confirmTotp: {
    token: async (scene) => (await withSecret(scene, false)).token,
    fields: async (scene) => ({ totp: (await withSecret(scene, false)).totp }),
  },
  deleteTotp: {
    token: async (scene) => (await withSecret(scene, true)).token,
    fields: async (scene) => ({ totp: (await withSecret(scene, true)).totp }),
  },
  newPasswordReset: { fields: async (scene) => ({ email: (await scene.signedUp()).email }) },

  getUsers: { toStrangers: 'public' },
  deleteUser: {
    token: withPassword,
  },

  undoStrategyEnd: { fields: async (scene) => ({ strategy_id: await endedStrategy(scene) }) },
  getRecommendedStrategies: { toStrangers: 'public' },
  findStrategies: { toStrangers: 'public' },

  newStrategySubscription: {
    token: ({ server }) => anotherUser(server),
    fields: (scene) => ({ ...now(scene), price: 0 }),
  },
  deleteStrategySubscription: { token: subscribed },
  getStrategyCalculation: { fields: now },
  updateStrategyCalculation: { token: subscribed, fields: now },

  getBots: { foreign: { bot_id: [placeholders.bot] } },
  newConnection: { fields: () => ({ broker: 'vault' }) },
  finishConnection: { fields: async (scene) => ({ state: await askedState(scene) }) },
  stopBot: { prepare: startBot },
  resetBot: { prepare: startBot },
  getTradingHalts: {
    prepare: async ({ server, owner, real }) => {
      await real('halt');
      await server.ask('haltTrading', { scope: 'user', reason: 'x' }, owner);
    },
  },

  newLike: { toStrangers: 'public' },
  deleteLike: { toStrangers: 'public' },

  getStocks: { toStrangers: 'public' },
  newStockAction: { fields: () => ({ stock_id: 'IBM:NYSE' }) },
  updateStocks: { fields: () => ({ stocks: [{ stock_id: 'ko.nyse', stock_status: 'halted' }] }) },

  newWithdrawal: { token: ({ server }) => earner(server) },
  deleteWithdrawal: { token: ({ server }) => earner(server) },
};

/** The row of the operation: nothing where its example works as it stands. */
export const rowOf = (name: OperationName): Row => ROWS[name] ?? {};
