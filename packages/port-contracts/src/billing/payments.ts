import { describe, expect, it } from '../testing.js';
import {
  type Earning,
  type Invoice,
  type InvoiceState,
  type InvoiceStateKind,
  type Money,
  type PaymentSource,
  type Subscription,
  MONEY,
  type Withdrawal,
  decimal,
  decimalText,
  id,
} from '@slipstream/domain';
import type { InvoiceFilter, Page } from '@slipstream/ports';
import {
  NOON,
  aPaymentSource,
  aSubscription,
  aWithdrawal,
  anEarning,
  anInvoice,
} from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach, idsOf, saveAll } from '../storage/storage.js';

/** Compares decimals by value, not by their representation. */
const plain = (entity: object | undefined) =>
  entity &&
  Object.fromEntries(
    Object.entries(entity).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'object' && value !== null && 'toFixed' in value
        ? decimalText(value as Earning['amount'])
        : value,
    ]),
  );

const charged = { chargeRef: 'charge', refunded: decimal('0.01') };
const owed = { total: decimal('12.34'), inFlight: true };

const disputed = { disputed: decimal('0.07') };
/** Every state, with all of its fields. */
const STATES = {
  due: [{ kind: 'due', dueAt: NOON + 2 }],
  charging: [
    { kind: 'charging', reason: null, dueAt: NOON + 2 },
    { kind: 'charging', reason: 'insufficient_funds', dueAt: NOON + 2 },
  ],
  retrying: [
    { kind: 'retrying', reason: 'insufficient_funds', dueAt: NOON + 2 },
    { kind: 'retrying', reason: null, dueAt: NOON + 2 },
  ],
  failed: [
    { kind: 'failed', reason: 'insufficient_funds' },
    { kind: 'failed', reason: null },
  ],
  paid: [
    { kind: 'paid', ...charged, checkAt: NOON + 2 },
    { kind: 'paid', ...charged, checkAt: null },
  ],
  refunding: [
    { kind: 'refunding', ...charged, owed, dueAt: NOON + 2 },
    { kind: 'refunding', ...charged, owed: { ...owed, inFlight: false }, dueAt: NOON + 2 },
  ],
  charged_back: [
    { kind: 'charged_back', ...charged, ...disputed, owed: null, checkAt: NOON + 2 },
    { kind: 'charged_back', ...charged, ...disputed, owed, checkAt: null },
  ],
} satisfies {
  readonly [Kind in InvoiceStateKind]: readonly Extract<InvoiceState, { readonly kind: Kind }>[];
};

const everyFieldOfInvoice: Invoice = {
  ...anInvoice(),
  amount: decimal('999999.99'),
  month: 12,
  attempts: 3,
  firstAttemptAt: NOON + 1,
  state: { kind: 'refunding', ...charged, owed, dueAt: NOON + 2 },
  updatedAt: NOON + 3,
};

function plainInvoice(invoice: Invoice | undefined) {
  if (!invoice) return undefined;
  const { state } = invoice;
  const owed = 'owed' in state ? (plain(state.owed ?? undefined) ?? null) : undefined;
  return { ...plain(invoice), state: { ...plain(state), owed } };
}

const sourcesContract = (open: OpenStorage): void => {
  describe('payment sources', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<PaymentSource>(unitOfWork, ({ paymentSources }, source) =>
      paymentSources.save(source),
    );

    it('gives back every field, and those of a user newest first, deleted ones too', async () => {
      const deleted = aPaymentSource({
        id: id('b'),
        direction: 'out',
        primary: false,
        status: 'deleted',
        sealedDetails: null,
        createdAt: NOON + 1,
      });
      const other = aPaymentSource({ id: id('c'), userId: id('user-3') });
      await save(aPaymentSource({ status: 'deleted' }), deleted, other, aPaymentSource());
      const [found, list, none] = await unitOfWork.read(async ({ paymentSources }) => [
        await paymentSources.find(id('source-1')),
        await paymentSources.listOf(id('user-2')),
        await paymentSources.find(id('none')),
      ]);
      expect(found).toEqual(aPaymentSource());
      expect(list).toEqual([deleted, aPaymentSource()]);
      expect(none).toBeUndefined();
    });

    it('answers what is due, longest due first, ties by id, at most the limit', async () => {
      const pending = aPaymentSource({ id: id('b'), status: 'pending', dueAt: NOON });
      await save(
        aPaymentSource({ id: id('never') }),
        pending,
        aPaymentSource({ id: id('a'), dueAt: NOON }),
        aPaymentSource({ id: id('later'), dueAt: NOON + 1 }),
      );
      const due = async (limit: number) =>
        unitOfWork.read(({ paymentSources }) => paymentSources.due(NOON, limit));
      expect([idsOf(await due(10)), idsOf(await due(1))]).toEqual([['a', 'b'], ['a']]);
      expect((await due(10))[1]).toEqual(pending);
    });
  });
};

const invoicesContract = (open: OpenStorage): void => {
  describe('invoices', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<Invoice>(unitOfWork, ({ invoices }, invoice) => invoices.save(invoice));
    const list = async (filter: InvoiceFilter = {}, page: Page = { limit: 10 }) =>
      idsOf(await unitOfWork.read(({ invoices }) => invoices.list(id('user-2'), filter, page)));

    it('gives back every field, replaced by id', async () => {
      const bare = anInvoice({
        id: id('b'),
        anchorAt: null,
        attempts: 0,
        firstAttemptAt: null,
        state: { kind: 'due', dueAt: NOON },
      });
      await save(anInvoice(), everyFieldOfInvoice, bare);
      const [first, second, none] = await unitOfWork.read(async ({ invoices }) => [
        await invoices.find(id('invoice-1')),
        await invoices.find(id('b')),
        await invoices.find(id('none')),
      ]);
      expect(plainInvoice(first)).toEqual(plainInvoice(everyFieldOfInvoice));
      expect(plainInvoice(second)).toEqual(plainInvoice(bare));
      expect(none).toBeUndefined();
    });

    it('returns every state with all of its fields', async () => {
      const saved = Object.values(STATES)
        .flat()
        .map((state, index) => anInvoice({ id: id(`invoice-${index}`), state }));
      await save(...saved);
      const found = await unitOfWork.read(({ invoices }) =>
        Promise.all(saved.map((invoice) => invoices.find(invoice.id))),
      );
      expect(found.map(plainInvoice)).toEqual(saved.map(plainInvoice));
    });

    it('filters by ids, source and status together, newest first, page by page', async () => {
      const failed = { kind: 'failed', reason: null } as const;
      await save(
        anInvoice({ id: id('a') }),
        anInvoice({ id: id('b'), state: failed }),
        anInvoice({ id: id('c'), sourceId: id('source-2'), createdAt: NOON + 1 }),
        anInvoice({ id: id('d'), state: failed, sourceId: id('source-2') }),
        anInvoice({ id: id('e'), userId: id('user-3') }),
      );
      expect(await list()).toEqual(['c', 'd', 'b', 'a']);
      expect(await list({ invoiceIds: [id('a'), id('c'), id('e')] })).toEqual(['c', 'a']);
      expect(await list({ invoiceIds: [] })).toEqual([]);
      expect(await list({ sourceId: id('source-2') })).toEqual(['c', 'd']);
      expect(await list({ status: 'failed', sourceId: id('source-1') })).toEqual(['b']);
      expect(await list({}, { limit: 2, cursor: 'c' })).toEqual(['d', 'b']);
      expect(await list({ status: 'failed' }, { limit: 2, cursor: 'c' })).toEqual(['d', 'b']);
      expect(await list({}, { limit: 2, cursor: 'e' })).toEqual([]);
      expect(await list({}, { limit: 2, cursor: 'none' })).toEqual([]);
      expect(await list({}, { limit: 9, from: NOON + 1 })).toEqual(['c']);
      expect(await list({}, { limit: 2, to: NOON + 1 })).toEqual(['d', 'b']);
      expect(await list({}, { limit: 9, cursor: 'd', to: NOON + 1 })).toEqual(['b', 'a']);
    });

    it('finds those of a subscription, and the one of a charge', async () => {
      await save(
        anInvoice({ id: id('a'), createdAt: NOON + 1 }),
        anInvoice({ id: id('b') }),
        anInvoice({ id: id('d') }),
        anInvoice({
          id: id('c'),
          subscriptionId: id('subscription-2'),
          state: { kind: 'due', dueAt: NOON },
        }),
      );
      const [ofSubscription, charged, none] = await unitOfWork.read(async ({ invoices }) => [
        await invoices.listOfSubscription(id('subscription-1')),
        await invoices.findByCharge('charge of a'),
        await invoices.findByCharge('none'),
      ]);
      expect(idsOf(ofSubscription)).toEqual(['a', 'd', 'b']);
      expect((charged as Invoice).id).toBe('a');
      expect(none).toBeUndefined();
    });

    it('answers what is due, longest due first, ties by id, at most the limit', async () => {
      const checked = (checkAt: number) => ({ kind: 'paid', ...charged, checkAt }) as const;
      await save(
        anInvoice({ id: id('never') }),
        anInvoice({ id: id('later'), state: checked(NOON + 1) }),
        anInvoice({ id: id('b'), state: { kind: 'due', dueAt: NOON } }),
        anInvoice({ id: id('a'), state: checked(NOON) }),
        anInvoice({ id: id('z'), state: checked(NOON - 1) }),
      );
      const due = async (limit: number) =>
        idsOf(await unitOfWork.read(({ invoices }) => invoices.due(NOON, limit)));
      expect(await due(10)).toEqual(['z', 'a', 'b']);
      expect(await due(2)).toEqual(['z', 'a']);
    });
  });
};

const earningsContract = (open: OpenStorage): void => {
  describe('earnings', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<Earning>(unitOfWork, ({ earnings }, earning) => earnings.save(earning));
    const totals = async (user: string, now = NOON, money: Money = 'live') => {
      const { balance, settled } = await unitOfWork.read(({ earnings }) =>
        earnings.totals(id(user), money, now),
      );
      return [decimalText(balance), decimalText(settled)];
    };

    it('gives back every field, newest first and by invoice oldest first', async () => {
      const back = anEarning({
        id: id('b'),
        kind: 'chargeback',
        amount: decimal('-12'),
        commission: decimal('-3'),
        createdAt: NOON + 1,
      });
      const out = anEarning({
        id: id('c'),
        kind: 'withdrawal',
        invoiceId: null,
        withdrawalId: id('withdrawal-1'),
        commission: decimal('0'),
        createdAt: NOON + 2,
      });
      await save(anEarning(), back, out, anEarning({ id: id('d'), userId: id('user-3') }));
      const [all, page, ofInvoice] = await unitOfWork.read(async ({ earnings }) => [
        await earnings.list(id('user-1'), { limit: 10 }),
        await earnings.list(id('user-1'), { limit: 1, cursor: 'c' }),
        await earnings.ofInvoice(id('invoice-1')),
      ]);
      expect(all?.map(plain)).toEqual([out, back, anEarning()].map(plain));
      expect(idsOf(page ?? [])).toEqual(['b']);
      expect(idsOf(ofInvoice ?? [])).toEqual(['d', 'earning-1', 'b']);
    });

    it('sums to the cent, settled rows separately', async () => {
      await save(
        anEarning({ amount: decimal('0.1') }),
        anEarning({ id: id('b'), amount: decimal('0.2') }),
        anEarning({ id: id('c'), amount: decimal('-0.05'), settlesAt: NOON + 1 }),
        anEarning({ id: id('d'), amount: decimal('9007199254740.91'), settlesAt: NOON + 2 }),
        anEarning({ id: id('e'), userId: id('user-3') }),
      );
      expect(await totals('user-1')).toEqual(['9007199254741.16', '0.3']);
      expect(await totals('user-1', NOON + 1)).toEqual(['9007199254741.16', '0.25']);
      expect(await totals('nobody')).toEqual(['0', '0']);
    });

    it('counts what is withdrawn as settled at any time: the clock may be set back after it', async () => {
      const later = { withdrawalId: id<'withdrawal'>('withdrawal-1'), settlesAt: NOON + 1 };
      await save(
        anEarning({ amount: decimal('3') }),
        anEarning({ id: id('b'), kind: 'withdrawal', amount: decimal('-2'), ...later }),
      );
      expect(await totals('user-1', NOON)).toEqual(['1', '1']);
    });

    it('sums what is in one money, and gives back all', async () => {
      await save(
        anEarning({ amount: decimal('1') }),
        anEarning({ id: id('b'), amount: decimal('2'), money: 'test' }),
        anEarning({ id: id('c'), amount: decimal('4'), money: 'simulated', settlesAt: NOON + 1 }),
      );
      const found = await Promise.all(MONEY.map((money) => totals('user-1', NOON, money)));
      expect(found).toEqual([
        ['4', '0'],
        ['2', '2'],
        ['1', '1'],
      ]);
      const all = await unitOfWork.read(({ earnings }) =>
        earnings.list(id('user-1'), { limit: 9 }),
      );
      expect(all.map(({ money }) => money)).toEqual(['live', 'simulated', 'test']);
    });

    it('is append-only', async () => {
      await save(anEarning());
      await expect(save(anEarning({ amount: decimal('99') }))).rejects.toThrow();
      expect(await totals('user-1')).toEqual(['12', '12']);
    });
  });
};

const withdrawalsContract = (open: OpenStorage): void => {
  describe('withdrawals', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<Withdrawal>(unitOfWork, ({ withdrawals }, withdrawal) =>
      withdrawals.save(withdrawal),
    );

    it('gives back every field, replaced by id, page by page, newest first', async () => {
      const everyField = aWithdrawal({
        money: 'test',
        status: 'failed',
        sourceId: id('source-1'),
        reason: 'the account is closed',
        dueAt: NOON + 1,
        updatedAt: NOON + 2,
      });
      await save(aWithdrawal(), everyField, aWithdrawal({ id: id('b'), createdAt: NOON + 1 }));
      await save(aWithdrawal({ id: id('c'), userId: id('user-3') }));
      const [found, all, newest, page, unknown] = await unitOfWork.read(async ({ withdrawals }) => [
        [await withdrawals.find(id('withdrawal-1'))],
        await withdrawals.list(id('user-1'), { limit: 10 }),
        await withdrawals.list(id('user-1'), { limit: 1 }),
        await withdrawals.list(id('user-1'), { limit: 10, cursor: 'b' }),
        await withdrawals.list(id('user-1'), { limit: 10, cursor: 'c' }),
      ]);
      expect(found?.map(plain)).toEqual([plain(everyField)]);
      expect(all?.map((withdrawal) => withdrawal?.id)).toEqual(['b', 'withdrawal-1']);
      expect(newest?.map((withdrawal) => withdrawal?.id)).toEqual(['b']);
      expect(page?.map((withdrawal) => withdrawal?.id)).toEqual(['withdrawal-1']);
      expect(unknown).toEqual([]);
    });

    it("lists a user's pending and processing withdrawals, newest first", async () => {
      const statuses = ['pending', 'processing', 'paid', 'failed', 'cancelled'] as const;
      await save(
        ...statuses.map((status, n) =>
          aWithdrawal({ id: id(status), status, createdAt: NOON + n }),
        ),
        aWithdrawal({ id: id('other'), userId: id('user-3') }),
      );
      const open = await unitOfWork.read(({ withdrawals }) => withdrawals.listOpen(id('user-1')));
      expect(idsOf(open)).toEqual(['processing', 'pending']);
    });

    it('answers what is due, longest due first, ties by id, at most the limit', async () => {
      await save(
        aWithdrawal({ id: id('never') }),
        aWithdrawal({ id: id('b'), dueAt: NOON }),
        aWithdrawal({ id: id('a'), dueAt: NOON }),
        aWithdrawal({ id: id('later'), dueAt: NOON + 1 }),
      );
      const due = async (limit: number) =>
        idsOf(await unitOfWork.read(({ withdrawals }) => withdrawals.due(NOON, limit)));
      expect([await due(10), await due(1)]).toEqual([['a', 'b'], ['a']]);
    });
  });
};

const dueSubscriptionsContract = (open: OpenStorage): void => {
  describe('subscriptions that are due', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<Subscription>(unitOfWork, ({ subscriptions }, subscription) =>
      subscriptions.save(subscription),
    );

    it('end, or renew while they are active, at or before now: the longest due first', async () => {
      const row = (name: string, overrides: Partial<Subscription>) =>
        aSubscription({ id: id(name), userId: id(`user of ${name}`), ...overrides });
      await save(
        row('free', {}),
        row('renewing', { renewsAt: NOON }),
        row('ending', { endsAt: NOON - 2 }),
        row('a renewal of before', { renewsAt: NOON - 1 }),
        row('an end of now', { endsAt: NOON }),
        row('renewing later', { renewsAt: NOON + 1 }),
        row('ending later', { endsAt: NOON + 1 }),
        row('past due', { status: 'past_due', renewsAt: NOON }),
        row('cancelled', { status: 'cancelled', endsAt: NOON }),
      );
      const due = async (limit: number) =>
        idsOf(await unitOfWork.read(({ subscriptions }) => subscriptions.due(NOON, limit)));
      const all = ['ending', 'a renewal of before', 'an end of now', 'renewing'];
      expect([await due(10), await due(1), await due(3)]).toEqual([
        all,
        ['ending'],
        all.slice(0, 3),
      ]);
    });
  });
};

/** All stores of payments. */
export const paymentsContract = (open: OpenStorage): void => {
  sourcesContract(open);
  invoicesContract(open);
  earningsContract(open);
  withdrawalsContract(open);
  dueSubscriptionsContract(open);
};
