import type { Command, Opening, Step } from './story.js';

type NewOrder = Extract<Command, { do: 'newOrder' }>;

const anOrder = (fields: Partial<NewOrder>): NewOrder => ({
  do: 'newOrder',
  strategy: 0,
  stock: 0,
  action: 'buy',
  type: 'limit',
  size: 'amount',
  percent: 20,
  away: 3,
  after: [],
  reduceOnly: false,
  ...fields,
});

const bobFollows: readonly Command[] = [
  { do: 'subscribe', by: 'bob', strategy: 0 },
  { do: 'subscribe', by: 'bob', strategy: 1 },
];

const allocated = (strategy: number): Command => ({
  do: 'newOrderAllocations',
  strategy,
  targets: [
    { stock: 0, percent: 40 },
    { stock: 1, percent: strategy === 0 ? -30 : 30 },
  ],
});

const aBot = (strategy: number): Extract<Command, { do: 'newBot' }> => ({
  do: 'newBot',
  by: 'bob',
  strategies: [strategy],
  leverage: 100,
  closeOnStop: true,
  rebalanceOnStart: true,
});

const everyStock = [0, 1, 2, 3, 4];

const everyQuote = (move: number): Command => ({
  do: 'newQuotes',
  quotes: everyStock.map((stock) => ({ stock, move, kind: 'good' })),
});

const shortOf = (strategy: number, stock: number): Command => ({
  ...{ do: 'newOrderAllocations', strategy },
  targets: [{ stock, percent: -150 }],
});

const sold: readonly Command[] = [
  { do: 'setPrice', strategy: 0, price: 30 },
  { do: 'setPrice', strategy: 1, price: 7 },
  { do: 'newPaymentSource', by: 'ada', token: 'test_bank' },
  { do: 'newPaymentSource', by: 'bob', token: 'test_card_paid' },
  { do: 'newPaymentSource', by: 'cyd', token: 'test_card_chargeback' },
  { do: 'subscribe', by: 'bob', strategy: 0 },
  { do: 'listen', by: 'bob', channel: 'wsOrders', of: 0 },
];

/** The commands of each opening. */
export const OPENING_COMMANDS: Readonly<Record<Opening, readonly Command[]>> = {
  bare: [],
  waiting: [
    anOrder({}),
    anOrder({ stock: 1, type: 'market', after: [0] }),
    anOrder({ stock: 2, type: 'stop_market', size: 'total', after: [0] }),
    anOrder({ strategy: 1, type: 'oco', percent: 30 }),
  ],
  watched: [
    ...bobFollows,
    { do: 'listen', by: 'bob', channel: 'wsOrders', of: 0 },
    { do: 'listen', by: 'bob', channel: 'wsPositions', of: 0 },
    { do: 'listen', by: 'ada', channel: 'wsOrders', of: 0 },
    { do: 'listen', by: 'ada', channel: 'wsAlerts', of: 0 },
    { do: 'listen', by: 'cyd', channel: 'wsStrategyValue', of: 1 },
    anOrder({}),
    anOrder({ stock: 1, type: 'market', after: [0] }),
  ],
  mirrored: [
    ...bobFollows,
    allocated(0),
    allocated(1),
    aBot(0),
    aBot(1),
    { do: 'startBot', bot: 0 },
    { do: 'startBot', bot: 1 },
  ],
  careful: [
    ...bobFollows,
    { do: 'subscribe', by: 'cyd', strategy: 1 },
    allocated(0),
    allocated(1),
    everyQuote(0),
    { ...aBot(0), leverage: 50, join: 'new_only' },
    { ...aBot(1), rebalance: { band: 5, cooldownHours: 1 } },
    { ...aBot(1), by: 'cyd', leverage: 50, rebalance: { band: 10 } },
    { do: 'startBot', bot: 0 },
    { do: 'startBot', bot: 1 },
    { do: 'startBot', bot: 2 },
  ],
  announced: [
    ...bobFollows,
    allocated(0),
    everyQuote(0),
    aBot(0),
    { ...aBot(0), rebalance: { cooldownHours: 24 } },
    { do: 'startBot', bot: 0 },
    { do: 'startBot', bot: 1 },
    { do: 'runBots' },
    { do: 'announce', stock: 0, kind: 'cash_dividend', percent: 3 },
    { do: 'advance', seconds: 3_700 },
    { do: 'announce', stock: 1, kind: 'other', percent: 1 },
    { do: 'advanceTo', moment: 'eve' },
  ],
  invested: [
    ...bobFollows,
    allocated(0),
    allocated(1),
    everyQuote(0),
    // Without limits: what they would take for a loss would keep them from buying.
    { ...aBot(0), leverage: 50 },
    { ...aBot(1), leverage: 50 },
    { do: 'startBot', bot: 0 },
    { do: 'startBot', bot: 1 },
    { do: 'runBots' },
    { do: 'advance', seconds: 5 },
    { do: 'runBots' },
  ],
  owned: [
    ...bobFollows,
    { ...aBot(1), by: 'ada', real: true, leverage: 50 },
    { ...aBot(1), real: true, leverage: 50 },
    { do: 'startBot', bot: 0 },
    { do: 'startBot', bot: 1 },
    { do: 'runBots' },
    allocated(1),
    everyQuote(0),
    { do: 'runBots' },
  ],
  held: [
    ...bobFollows,
    allocated(0),
    allocated(1),
    { do: 'listen', by: 'bob', channel: 'wsOrders', of: 0 },
    { do: 'listen', by: 'bob', channel: 'wsPositions', of: 0 },
    anOrder({}),
    anOrder({ stock: 1, type: 'oco', action: 'sell', size: 'total', after: [0] }),
    anOrder({ strategy: 1, type: 'stop_limit' }),
  ],
  eve: [
    anOrder({ type: 'stop_market', away: 1 }),
    { do: 'advanceTo', moment: 'eve' },
    everyQuote(0),
    anOrder({ stock: 1, type: 'market' }),
    anOrder({ stock: 0 }),
  ],
  sold,
  ruined: [
    ...sold,
    { do: 'subscribe', by: 'bob', strategy: 1 },
    { do: 'subscribe', by: 'cyd', strategy: 1 },
    everyQuote(0),
    shortOf(0, 1),
    shortOf(1, 0),
    everyQuote(110),
    anOrder({ strategy: 1 }),
    { do: 'linger', rounds: 30 },
  ],
};

/** As steps, with one command each and without faults. */
export const openingSteps = (opening: Opening): readonly Step[] =>
  OPENING_COMMANDS[opening].map((command) => ({ commands: [command], faults: [], order: [] }));
