import { describe, expect, it } from '@jest/globals';
import { HOUR, decimal } from '@slipstream/domain';
import { PASSWORD } from '../accounts.js';
import { outcomesAmid } from '../interleavings.js';
import { DAY, DETAILS } from './billing-world.js';
import {
  type Ask,
  type Before,
  type MoneyWorld,
  SOURCE,
  after,
  card,
  followedFor,
  later,
  moneyOf,
  moneyWorld,
  passes,
  rests,
  withdrawn,
} from './crash-scene.js';

const adds =
  (token: string): Ask =>
  (app, { follower }) =>
    app.newPaymentSource(follower, { token, details: DETAILS, primary: true });
const removes =
  (status: 'active' | 'pending'): Ask =>
  async (app, { follower }) => {
    const sources = (await app.getPaymentSources(follower)).map(({ source }) => source);
    const found = sources.find((source) => source.primary && source.status === status);
    return app.deletePaymentSource(follower, { sourceId: found?.id ?? '' });
  };

const isPrivate: Before = ({ app, owner, follower, strategyId }) =>
  app.updateStrategy(owner, { strategyId, private: true, invitedUserIds: [follower.userId] });

const ASKS = {
  'the billing': (app) => app.runBilling(),
  'the end of the month': (app, { ports: { clock } }) => {
    clock.advance(1);
    return app.runBilling();
  },
  newPaymentSource: adds('test_card_paid'),
  'newPaymentSource of a card that waits': adds('test_card_confirm'),
  deletePaymentSource: removes('active'),
  'deletePaymentSource of a card that waits': removes('pending'),
  newStrategySubscription: (app, { follower, strategyId }) =>
    app.newStrategySubscription(follower, { strategyId, price: 30 }),
  deleteStrategySubscription: (app, { follower, strategyId }) =>
    app.deleteStrategySubscription(follower, { strategyId }),
  'deleteStrategySubscription of the payer, by the owner': (app, { owner, follower, strategyId }) =>
    app.deleteStrategySubscription(owner, { strategyId, userId: follower.userId }),
  deleteStrategy: (app, { owner, strategyId }) => app.deleteStrategy(owner, { strategyId }),
  'deleteUser of the payer': (app, { follower }) =>
    app.deleteUser(follower, { password: PASSWORD }),
  'deleteUser of the owner': (app, { owner }) => app.deleteUser(owner, { password: PASSWORD }),
  retryInvoice: async (app, { follower }) => {
    const [newest] = await app.getInvoices(follower, {});
    return app.retryInvoice(follower, { invoiceId: newest?.invoice.id ?? '' });
  },
  newWithdrawal: (app, { owner }) =>
    app.newWithdrawal(owner, { amount: decimal('20'), password: PASSWORD }),
  deleteWithdrawal: async (app, { owner }) => {
    const { withdrawals } = await app.getWithdrawals(owner, {});
    return app.deleteWithdrawal(owner, { withdrawalId: withdrawals[0]?.id ?? '' });
  },
  'the notice of a confirmation': async (app, { ports: { unitOfWork }, follower: { userId } }) => {
    const sources = await unitOfWork.read(({ paymentSources }) => paymentSources.listOf(userId));
    const waiting = sources.find(({ status }) => status === 'pending') ?? sources[0];
    await app.handlePaymentWebhook(`${SOURCE}${waiting?.id}`, {});
  },
  'the notice of a dispute': async (app, { side: { charges } }) => {
    const [first] = charges.values();
    if (first) Object.assign(first, { dispute: 'open', disputed: first.amount });
    await app.handlePaymentWebhook(first?.ref ?? '', {});
  },
} as const satisfies Record<string, Ask>;

type Name = keyof typeof ASKS;

/** Each of the flows is played with each of the others amid it, and amid each of those. */
const SCENES: readonly (readonly [
  name: string,
  before: Before,
  flows: readonly Name[],
  others: readonly Name[],
])[] = [
  [
    'a first month',
    async () => undefined,
    ['newStrategySubscription'],
    [
      ...([
        'newStrategySubscription',
        'deleteStrategySubscription',
        'deletePaymentSource',
      ] as const),
      ...(['the billing', 'deleteStrategy'] as const),
      ...(['deleteUser of the payer', 'deleteUser of the owner'] as const),
    ],
  ],
  [
    'a renewal',
    after(followedFor(0), later(30 * DAY)),
    ['the billing'],
    [
      ...(['the billing', 'newPaymentSource', 'deletePaymentSource'] as const),
      ...(['deleteStrategySubscription', 'deleteStrategy', 'deleteUser of the payer'] as const),
    ],
  ],
  [
    'an invoice that was declined',
    after(card('test_card_declined'), followedFor(0), card('test_card_paid')),
    ['retryInvoice'],
    [
      ...(['retryInvoice', 'the billing', 'newPaymentSource', 'deletePaymentSource'] as const),
      ...(['deleteStrategySubscription', 'deleteStrategy', 'deleteUser of the payer'] as const),
    ],
  ],
  [
    'a last attempt',
    after(followedFor(0), card('test_card_declined'), passes(28), passes(3), later(4 * DAY)),
    ['the billing'],
    [
      ...(['newPaymentSource', 'retryInvoice', 'deleteStrategySubscription'] as const),
      ...(['deleteStrategy', 'deleteUser of the payer'] as const),
    ],
  ],
  [
    'a refund',
    after(followedFor(3), ({ app, owner, strategyId }) =>
      app.deleteStrategy(owner, { strategyId }),
    ),
    ['the billing'],
    ['the billing', 'deleteUser of the payer', 'deleteUser of the owner'],
  ],
  [
    'earnings that have settled',
    followedFor(45),
    ['newWithdrawal'],
    ['newWithdrawal', 'deleteStrategy', 'deleteUser of the owner', 'the billing'],
  ],
  [
    'a payout',
    after(followedFor(45), withdrawn, later(HOUR)),
    ['the billing'],
    [
      ...(['the billing', 'newWithdrawal', 'deleteWithdrawal'] as const),
      ...(['deleteStrategy', 'deleteUser of the owner'] as const),
    ],
  ],
  [
    'a charge that is disputed',
    followedFor(3),
    ['the notice of a dispute'],
    [
      ...(['the billing', 'deleteStrategy', 'deleteStrategySubscription'] as const),
      ...(['deleteUser of the payer', 'deleteUser of the owner'] as const),
    ],
  ],
  [
    'a month that is paid',
    after(isPrivate, followedFor(3)),
    ['deleteStrategySubscription of the payer, by the owner'],
    [
      ...(['deleteStrategySubscription', 'the notice of a dispute', 'deleteStrategy'] as const),
      ...(['deleteUser of the payer', 'deleteUser of the owner'] as const),
      'deleteStrategySubscription of the payer, by the owner',
    ],
  ],
  [
    'a renewal of a private strategy',
    after(isPrivate, followedFor(0), later(30 * DAY)),
    ['the billing'],
    ['deleteStrategySubscription of the payer, by the owner'],
  ],
  [
    'an end that can be taken back',
    after(
      followedFor(0),
      ({ app, follower, strategyId }) => app.deleteStrategySubscription(follower, { strategyId }),
      later(28 * DAY - 1),
    ),
    ['newStrategySubscription'],
    [
      ...(['the end of the month', 'deleteStrategySubscription', 'deleteStrategy'] as const),
      ...(['deletePaymentSource', 'deleteUser of the payer'] as const),
    ],
  ],
  [
    'a new card',
    async () => undefined,
    ['newPaymentSource', 'newPaymentSource of a card that waits'],
    ['newPaymentSource', 'deletePaymentSource', 'deleteUser of the payer', 'the billing'],
  ],
  [
    'a confirmation',
    after(card('test_card_confirm'), later(61_000)),
    ['the billing'],
    [
      ...(['the billing', 'newPaymentSource', 'newPaymentSource of a card that waits'] as const),
      ...(['deletePaymentSource', 'deletePaymentSource of a card that waits'] as const),
      ...(['the notice of a confirmation', 'deleteUser of the payer'] as const),
    ],
  ],
  [
    'a notice of it',
    after(card('test_card_confirm'), later(61_000)),
    ['the notice of a confirmation'],
    [
      ...(['the notice of a confirmation', 'newPaymentSource', 'deletePaymentSource'] as const),
      'deletePaymentSource of a card that waits',
      ...(['newPaymentSource of a card that waits', 'deleteUser of the payer'] as const),
    ],
  ],
];

const pairs = SCENES.flatMap(([scene, before, flows, others]) =>
  flows.flatMap((flow) =>
    others.flatMap((other) => {
      const one = { scene, before, flow, other };
      return flow === other ? [one] : [one, { ...one, flow: other, other: flow }];
    }),
  ),
);

type Outcome = Awaited<ReturnType<typeof moneyOf>> & {
  /** The mails and notifications of accounts that were deleted. */
  readonly toldTheDeleted: number;
};

const outcomesOf = (before: Before, flow: Ask, other: Ask) =>
  outcomesAmid<MoneyWorld, Outcome>({
    async begin() {
      const world = await moneyWorld();
      await before(world);
      return world;
    },
    flow,
    other,
    async outcome(app, world) {
      const { owner, follower } = world;
      const sentBefore = world.ports.mailer.sent.length;
      await rests(app, world);
      const toldTheDeleted = await world.ports.unitOfWork.read(async (stores) => {
        let count = 0;
        for (const [name, { userId }] of Object.entries({ owner, follower })) {
          if ((await stores.users.find(userId))?.deletedAt === null) continue;
          const later = world.ports.mailer.sent.slice(sentBefore);
          count += later.filter(({ to }) => to.startsWith(name)).length;
          count += (await stores.notifications.list(userId, { limit: 9 })).length;
        }
        return count;
      });
      return { toldTheDeleted, ...(await moneyOf(world)) };
    },
  });

/** What must not be, whatever came amid what. `keepsTold`: nobody has what they were told removed. */
function problemsOf(money: Outcome, keepsTold: boolean): string[] {
  const { invoices, sources, linkedUnknown, unlinkedKnown, paidOut, withdrawals } = money;
  const cards = sources.filter((text) => text.startsWith('in active'));
  const primary = cards.filter((text) => text.endsWith('primary'));
  const told = Object.entries(money.told);
  const twice = told.filter(([text, times]) => times > 1 && !/new subscriber|You paid/.test(text));
  const payments = told.filter(([text]) => /^You (paid|were charged)/.test(text));
  const timesPaid = payments.reduce((sum, [, times]) => sum + times, 0);
  const isCharged = invoices.filter(({ charges }) => charges > 0);
  const problems: readonly (readonly [text: string, is: boolean])[] = [
    ['an invoice is charged twice', invoices.some(({ charges }) => charges > 1)],
    [
      'a refund is not what was decided',
      invoices.some(({ refunded, given = '0' }) => refunded !== given),
    ],
    ['the ledger is not what was paid', invoices.some(({ isBooked }) => !isBooked)],
    ['the owner is below zero', money.balance.startsWith('-')],
    [
      'a payout is not what its owner sees',
      paidOut.length !== withdrawals.filter((status) => status === 'paid').length,
    ],
    ['a card is at the gateway without a row, or not there', linkedUnknown + unlinkedKnown > 0],
    ['a deleted account is told', money.toldTheDeleted > 0],
    ['not one card is primary', primary.length !== Math.min(cards.length, 1)],
    ['somebody is told twice', twice.length > 0 || timesPaid > isCharged.length],
    ['a payer is not told of a charge', keepsTold && timesPaid < isCharged.length],
  ];
  return problems.filter(([, is]) => is).map(([text]) => text);
}

describe('at every moment of what moves money', () => {
  it.each(pairs)(
    'another request takes, gives and tells nothing twice: $scene, $flow with $other amid it',
    async ({ before, flow, other }) => {
      const outcomes = await outcomesOf(before, ASKS[flow], ASKS[other]);
      const keepsTold = ![flow, other].includes('deleteUser of the payer');
      const wrong = outcomes
        .map(({ became, moments }) => ({ moments, problems: problemsOf(became, keepsTold) }))
        .filter(({ problems }) => problems.length > 0);
      expect(wrong).toEqual([]);
    },
  );
});
