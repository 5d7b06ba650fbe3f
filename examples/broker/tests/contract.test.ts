import { ZERO, decimal, id } from '@slipstream/domain';
import { type BrokerTrouble, NOON, aStock, brokerContract } from '@slipstream/port-contracts';
import { type Ask, brokerage, deskBroker } from '../src/index.js';

const acme = aStock({ id: id('acme'), symbol: 'ACME', exchange: 'NYSE' });
const elsewhere = aStock({ id: id('acme-2'), symbol: 'ACME', exchange: 'NASDAQ' });
const unlisted = aStock({ id: id('bolt'), symbol: 'BOLT', exchange: 'NYSE' });
const stocks = [acme, elsewhere, unlisted];

/** Which question of the adapter a method of the port asks. */
const QUESTIONS = {
  link: 'statement',
  place: 'place',
  cancel: 'cancel',
  find: 'reports',
  account: 'statement',
  // The brokerage reports no activities.
  activities: 'statement',
  rules: 'prices',
} as const;
const REPLIES = {
  rate_limited: { status: 429, retryAfter: 2 },
  refused: { status: 401 },
  unreadable: { status: 200, body: {} },
} as const;

brokerContract('example broker', async () => {
  const prices = new Map([
    ['ACME.NYSE', decimal('100')],
    ['ACME.NASDAQ', decimal('101')],
  ]);
  const desk = brokerage({ keys: ['desk-1234', 'desk-5678'], prices, cash: decimal('5000') });
  let hands = 0;
  let next: { readonly ask: string; readonly trouble: BrokerTrouble | 'answer_lost' } | undefined;
  /** The network between adapter and brokerage. */
  const network: Ask = async (key, question) => {
    if (next?.ask !== question.ask) return desk.ask(key, question);
    const { trouble } = next;
    next = undefined;
    if (trouble === 'answer_lost' || trouble === 'unreadable') await desk.ask(key, question);
    if (trouble === 'unreachable' || trouble === 'answer_lost') throw new Error('no answer');
    return REPLIES[trouble];
  };
  const link = {
    userId: id<'user'>('user-1'),
    type: 'stock',
    accountId: undefined,
    credentials: { key: 'desk-1234' },
  } as const;
  return {
    broker: deskBroker(network),
    link,
    otherLink: { ...link, credentials: { key: 'desk-5678' } },
    wrongLink: { ...link, credentials: { key: 'wrong' } },
    stock: acme,
    twin: elsewhere,
    unlisted,
    instruments: {
      all: () => stocks,
      find: (stockId) => stocks.find((stock) => stock.id === stockId),
    },
    feeInAsset: ZERO,
    // The desk is told no time.
    now: () => NOON,
    settle: async () => desk.settle(),
    loseNextAnswer: () => (next = { ask: 'place', trouble: 'answer_lost' }),
    loseNextRequest: () => (next = { ask: 'place', trouble: 'unreachable' }),
    troubleNext: (method, trouble) => (next = { ask: QUESTIONS[method], trouble }),
    fillNextInPart: () => (desk.fillsInPart = true),
    expireOrders: async () => desk.expire(),
    tradeByHand: async ({ accountId }, side, amount) => {
      hands += 1;
      const ticket = {
        id: `by-hand-${hands}`,
        instrument: 'ACME.NYSE',
        side,
        quantity: amount.toFixed(),
        limit: null,
        note: '',
      };
      await desk.ask('desk-1234', { ask: 'place', account: accountId, ticket });
      desk.settle();
    },
    transfer: null,
    haltStock: () => desk.halted.add('ACME.NYSE'),
    resumeStock: () => desk.halted.delete('ACME.NYSE'),
    closeMarket: () => (desk.isOpen = false),
    openMarket: () => (desk.isOpen = true),
  };
});
