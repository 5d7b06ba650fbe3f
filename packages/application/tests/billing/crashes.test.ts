import { describe, expect, it } from '@jest/globals';
import { type Decimal, decimal } from '@slipstream/domain';
import { PASSWORD } from '../accounts.js';
import type { GatewayCharge } from './acting-gateway.js';
import { DAY, DETAILS } from './billing-world.js';
import {
  type Ask,
  type Became,
  type Before,
  after,
  card,
  followedFor,
  later,
  passes,
  requestOutcomes,
  withdrawn,
  workOutcomes,
} from './crash-scene.js';

type Row = readonly [name: string, before: Before, flow: Ask, became: Record<string, unknown>];

const HOUR = 3_600_000;
const TWENTY = decimal('20');

const asItIs: Before = async () => undefined;
const deleted: Before = ({ app, owner, strategyId }) => app.deleteStrategy(owner, { strategyId });
const lost: Before = async ({ side }) => side.faults.push('lost_request');
const charges =
  (change: (charge: GatewayCharge) => Partial<GatewayCharge>): Before =>
  async ({ side }) => {
    for (const charge of side.charges.values()) Object.assign(charge, change(charge));
  };
const disputed = (amount?: Decimal): Before =>
  charges((charge) => ({ dispute: 'open', disputed: amount ?? charge.amount }));

const billing: Ask = (app) => app.runBilling();
const asked: Before = ({ app }) => app.runBilling();
const noticed: Before = async ({ app, side }) => {
  for (const ref of side.charges.keys()) await app.handlePaymentWebhook(ref, {});
};

const paid = { status: 'paid', charges: 1, refunded: '0', given: '0' };
const refunded = (amount: string) => ({ ...paid, refunded: amount, given: amount });
const FOLLOWED = { subscriptions: ['owner active', 'subscriber active'] };
const LEFT = { subscriptions: ['owner active', 'subscriber cancelled'] };
const OVER = { subscriptions: ['owner cancelled', 'subscriber cancelled'] };

/** Each of them ends with its effect, once, because its sender repeats it until it is answered. */
const REQUESTS: readonly Row[] = [
  [
    'newStrategySubscription',
    asItIs,
    (app, { follower, strategyId }) =>
      app.newStrategySubscription(follower, { strategyId, price: 30 }),
    { ...FOLLOWED, invoices: [paid], balance: '24' },
  ],
  [
    'deleteStrategySubscription',
    followedFor(3),
    (app, { follower, strategyId }) => app.deleteStrategySubscription(follower, { strategyId }),
    { invoices: [paid], balance: '24' },
  ],
  [
    'deleteStrategySubscription of a follower, by the owner',
    after(
      ({ app, owner, follower, strategyId }) =>
        app.updateStrategy(owner, {
          strategyId,
          private: true,
          invitedUserIds: [follower.userId],
        }),
      followedFor(3),
    ),
    (app, { owner, follower: { userId }, strategyId }) =>
      app.deleteStrategySubscription(owner, { strategyId, userId }),
    { ...LEFT, invoices: [refunded('26.79')], balance: '2.57' },
  ],
  [
    'deleteStrategy',
    followedFor(3),
    (app, { owner, strategyId }) => app.deleteStrategy(owner, { strategyId }),
    { ...OVER, invoices: [refunded('26.79')], balance: '2.57' },
  ],
  [
    'retryInvoice',
    after(card('test_card_declined'), followedFor(0), card('test_card_paid')),
    async (app, { follower }) => {
      const [first] = await app.getInvoices(follower, {});
      return app.retryInvoice(follower, { invoiceId: first?.invoice.id ?? '' });
    },
    { ...FOLLOWED, invoices: [{ ...paid, attempts: 2 }], balance: '24' },
  ],
  [
    'newWithdrawal',
    followedFor(45),
    (app, { owner }) => app.newWithdrawal(owner, { amount: TWENTY, password: PASSWORD }),
    { balance: '28', withdrawals: ['paid'], paidOut: ['20'] },
  ],
  [
    'deleteWithdrawal',
    after(followedFor(45), withdrawn),
    async (app, { owner }) => {
      const { withdrawals } = await app.getWithdrawals(owner, {});
      return app.deleteWithdrawal(owner, { withdrawalId: withdrawals[0]?.id ?? '' });
    },
    { balance: '48', withdrawals: ['cancelled'], paidOut: [] },
  ],
  [
    'deletePaymentSource',
    card('test_card_retried'),
    async (app, { ports: { unitOfWork }, follower: { userId }, follower }) => {
      const all = await unitOfWork.read((stores) => stores.paymentSources.listOf(userId));
      return app.deletePaymentSource(follower, { sourceId: all[0]?.id ?? '' });
    },
    { sources: ['out active, primary', 'in active, primary'] },
  ],
];

/** They answer what came of the charge that they caused. */
const asksTheGateway: ReadonlySet<string> = new Set(['newStrategySubscription', 'retryInvoice']);

/** Whatever the process was doing when it died, the next one finishes. */
const WORK: readonly Row[] = [
  [
    'the charge of a renewal',
    after(followedFor(0), later(30 * DAY)),
    billing,
    { ...FOLLOWED, invoices: [paid, paid], balance: '48' },
  ],
  [
    'a charge that is declined for the last time',
    after(followedFor(0), card('test_card_declined'), passes(28), passes(3), later(4 * DAY)),
    billing,
    { ...LEFT, invoices: [{ status: 'failed', charges: 0, attempts: 3 }, paid], balance: '24' },
  ],
  [
    'the end of a subscription',
    after(
      followedFor(0),
      ({ app, follower, strategyId }) => app.deleteStrategySubscription(follower, { strategyId }),
      later(30 * DAY),
    ),
    billing,
    { ...LEFT, invoices: [paid], balance: '24' },
  ],
  [
    'a refund',
    after(followedFor(3), deleted),
    billing,
    { ...OVER, invoices: [refunded('26.79')], balance: '2.57' },
  ],
  [
    'a refund that the gateway refuses, because the charge is disputed',
    after(followedFor(3), deleted, disputed()),
    billing,
    { ...OVER, invoices: [{ status: 'chargeback', refunded: '0', given: '0' }], balance: '0' },
  ],
  [
    'a dispute',
    after(followedFor(3), disputed(), later(DAY)),
    billing,
    { ...LEFT, invoices: [{ status: 'chargeback', given: '0' }], balance: '0' },
  ],
  [
    'the notice of a dispute',
    after(followedFor(3), disputed()),
    (app, { side }) => app.handlePaymentWebhook([...side.charges.keys()][0] ?? '', {}),
    { ...LEFT, invoices: [{ status: 'chargeback', given: '0' }], balance: '0' },
  ],
  [
    'what is refunded beside a dispute that was lost',
    after(followedFor(3), lost, deleted, disputed(decimal('5')), passes(2)),
    async (app, world) => {
      await charges(() => ({ dispute: 'lost' }))(world);
      world.ports.clock.advance(DAY);
      await app.runBilling();
    },
    { ...OVER, invoices: [{ status: 'chargeback', refunded: '21.79', given: '21.79' }] },
  ],
  [
    'a refund that was made at the gateway',
    after(
      followedFor(3),
      charges(({ amount }) => ({ given: amount })),
      later(DAY),
    ),
    billing,
    { ...LEFT, invoices: [refunded('30')], balance: '0' },
  ],
  [
    'a payout',
    after(followedFor(45), withdrawn, later(HOUR)),
    billing,
    { balance: '28', withdrawals: ['paid'], paidOut: ['20'] },
  ],
  [
    'a payout that is refused',
    after(followedFor(45), withdrawn, later(HOUR), async ({ side }) => (side.isClosed = true)),
    billing,
    { balance: '48', withdrawals: ['failed'], paidOut: [] },
  ],
  [
    'a payout that never arrived, and whose earnings a chargeback took',
    after(followedFor(45), withdrawn, later(HOUR), lost, asked, disputed(), noticed, later(61_000)),
    billing,
    { balance: '0', withdrawals: ['failed'], paidOut: [] },
  ],
  [
    'a confirmation',
    after(card('test_card_confirm'), later(61_000)),
    billing,
    { sources: ['out active, primary', 'in active, primary', 'in active'] },
  ],
  [
    'a confirmation that the bank refuses',
    after(card('test_card_confirm'), later(61_000), async ({ banks }) => (banks.say = 'refused')),
    billing,
    { sources: ['out active, primary', 'in active, primary'] },
  ],
];

/** The ledger is what the gateway has, each card is where its row says, and nobody is told a thing twice. */
const expectSound = (outcomes: readonly Became[]): void => {
  for (const { invoices, linkedUnknown, unlinkedKnown } of outcomes) {
    expect(invoices.every(({ isBooked }) => isBooked)).toBe(true);
    expect({ linkedUnknown, unlinkedKnown }).toEqual({ linkedUnknown: 0, unlinkedKnown: 0 });
  }
  const [told, ...others] = new Set(outcomes.map((one) => JSON.stringify([one.told, one.mailed])));
  expect([told, ...others]).toEqual([told]);
};

describe('a crash at any moment of a request that its sender repeats', () => {
  it.each(REQUESTS)('takes and adds nothing: %s', async (name, before, flow, became) => {
    const outcomes = await requestOutcomes(before, flow);
    for (const one of outcomes) expect(one).toMatchObject(became);
    expectSound(outcomes);
    const repeats = asksTheGateway.has(name)
      ? ['answered', 'idempotency_interrupted']
      : ['answered'];
    expect(outcomes.map(({ repeat }) => repeat)).toEqual(repeats);
  });
});

describe('a crash at any moment of newPaymentSource', () => {
  it.each(['test_card_paid', 'test_card_confirm'])(
    'leaves no card at the gateway that its owner does not see: %s',
    async (token) => {
      const outcomes = await requestOutcomes(asItIs, (app, { follower }) =>
        app.newPaymentSource(follower, { token, details: DETAILS }),
      );
      const before = ['out active, primary', 'in active, primary'];
      const added = [before[0], 'in active', before[1]];
      expect(outcomes).toMatchObject([
        { sources: added, repeat: 'answered' },
        { sources: before, repeat: 'idempotency_interrupted' },
      ]);
      expectSound(outcomes);
    },
  );
});

describe('a crash at any moment of the work in the background', () => {
  it.each(WORK)('leaves it to the next process: %s', async (_, before, flow, became) => {
    const outcomes = await workOutcomes(before, flow);
    expect(outcomes).toMatchObject([became]);
    expectSound(outcomes);
  });
});
