import { describe, expect, it } from '@jest/globals';
import {
  DAY,
  type Invoice,
  INVOICE_STATES,
  type Subscription,
  ZERO,
  beginAttempt,
  beginCheck,
  beginRefund as beginRefundNow,
  decimal,
  recordAttempt,
  recordRefund,
  recordStanding,
  refundUnused as refundUnusedNow,
  retryNow,
  stopTrying,
  taskOf,
} from '@slipstream/domain';
import { fieldsOf, invoiceOf, invoiceRows } from '../../src/billing/invoice-row.js';
import { type InvoiceFields, invoiceColumns } from '../../src/billing/columns.js';
import * as before from './invoices-before.js';

const START = Date.UTC(2026, 0, 31, 12);

type Row = InvoiceFields;

/** An event as it changed a row before, and as it changes an invoice now. */
interface Event {
  readonly before: (row: Row, now: number) => Row | undefined;
  readonly now?: (invoice: Invoice, now: number) => Invoice;
  /** A refund that is owed is remembered through it now. */
  readonly keepsDebts?: boolean;
  /** A charge is checked after it now, also when all of it was given back: a refund can fail later. */
  readonly checksFurther?: boolean;
}

const running = { id: 'subscription', status: 'active' } as Subscription;
const over = { ...running, status: 'cancelled' } as Subscription;
const of = (invoice: Invoice, isOver: boolean) => ({
  invoice,
  subscription: isOver ? over : running,
});

const whilePending =
  (change: (row: Row, now: number) => Row | undefined) => (row: Row, now: number) =>
    row.status === 'pending' ? change(row, now) : undefined;

const answers: Event[] = [true, false].flatMap((isOver) => [
  ...[null, DAY].map((after) => ({
    before: whilePending((row, now) =>
      before.paid(row, isOver, after === null ? null : now + after, now),
    ),
    now: (invoice: Invoice, now: number) => {
      const checkAgainAt = after === null ? null : now + after;
      const answer = { kind: 'paid', ref: 'charge', checkAgainAt } as const;
      return recordAttempt(of(invoice, isOver), answer, now).invoice;
    },
  })),
  {
    before: (row, now) => before.declined(row, isOver, now),
    now: (invoice, now) =>
      recordAttempt(of(invoice, isOver), { kind: 'declined', reason: 'no' }, now).invoice,
  },
]);

/** A second answer to the same charge, when a refund was asked for meanwhile. It cannot be said any more. */
const answeredTwice: Event = { before: (row, now) => before.paid(row, true, null, now) };

const standings: Event[] = (['paid', 'charged_back'] as const).flatMap((kind) =>
  ['0', '5', '15'].flatMap((total) =>
    [null, DAY].map((after): Event => {
      const refunded = decimal(total);
      const again = (now: number) => (after === null ? null : now + after);
      return {
        keepsDebts: true,
        before: (row, now) => before.checked(row, kind, refunded, again(now), now),
        now: (invoice, now) =>
          recordStanding(of(invoice, false), { kind, refunded, checkAgainAt: again(now) }, now)
            .invoice,
      };
    }),
  ),
);

const owedTotal = ({ state }: Invoice) => ('owed' in state && state.owed?.total) || ZERO;

const EVENTS: readonly Event[] = [
  { before: before.beginAttempt, now: (one, now) => beginAttempt(one, one.sourceId, now) },
  ...answers,
  answeredTwice,
  { before: before.retried, now: retryNow },
  { before: before.stopped, now: stopTrying },
  { before: before.refundUnused, now: refundUnusedNow },
  { before: before.beginRefund, now: beginRefundNow },
  ...[true, false].map((isDone): Event => ({
    checksFurther: isDone,
    before: (row, now) => before.refunded(row, isDone, now),
    now: (invoice, now) => recordRefund(invoice, isDone ? owedTotal(invoice) : null, now),
  })),
  { before: before.beginCheck, now: beginCheck },
  ...standings,
];

const text = (row: Row) => ({
  ...row,
  // It was not told: all that was not given back.
  amountDisputed: undefined,
  amount: row.amount.toFixed(),
  amountRefunded: row.amountRefunded.toFixed(),
  amountGiven: row.amountGiven.toFixed(),
});

/** `asked` said nothing of a paid invoice any more when no refund was owed: a dispute had overtaken the refund. */
const withoutLeftover = (row: Row): Row =>
  row.status === 'pending' || row.refundOwed ? row : { ...row, asked: false };

/** Rows that differ in no more than their times are one. */
const shapeOf = (row: Row): string =>
  JSON.stringify(text(row), (key, value: unknown) =>
    key.endsWith('At') && value !== null ? 'set' : value,
  );

/** Every row that the changes before could come to, by the shape of it, with how it went on. */
function everyRow() {
  const found = new Map<string, { readonly row: Row; readonly now: number }>();
  const next = [{ row: before.firstRow(START), now: START }];
  for (let one = next.pop(); one; one = next.pop()) {
    const shape = shapeOf(one.row);
    if (found.has(shape)) continue;
    found.set(shape, one);
    const now = one.now + DAY;
    for (const event of EVENTS) {
      const row = event.before(one.row, now);
      if (row) next.push({ row, now });
    }
  }
  return [...found.values()];
}

const ROWS = everyRow();

describe('the row of an invoice', () => {
  it('that an older database can contain loads, and is stored unchanged', () => {
    for (const { row } of ROWS) {
      const invoice = invoiceOf(row);
      expect(text(fieldsOf(invoice))).toEqual(text(withoutLeftover(row)));
      expect(taskOf(invoice)).toBe(before.taskBefore(row));
    }
    const kinds = new Set(ROWS.map(({ row }) => invoiceOf(row).state.kind));
    expect(kinds).toEqual(new Set(INVOICE_STATES));
    expect(ROWS.length).toBeGreaterThan(40);
  });

  it('of a chargeback from before parts were told says that all was taken that was not given back', () => {
    const row = { ...before.firstRow(START), status: 'chargeback', chargeRef: 'charge' } as Row;
    const old = invoiceOf({ ...row, amountRefunded: decimal('4') });
    expect(fieldsOf(old).amountDisputed?.toFixed()).toBe('11');
  });

  it('has the same successor on every event as before, unless a dispute made it forget a debt', () => {
    for (const { row, now: at } of ROWS)
      for (const { before: happened, now: happens, keepsDebts, checksFurther } of EVENTS) {
        if (keepsDebts && row.refundOwed) continue;
        const now = at + DAY;
        const expected = happened(row, now);
        if (!expected || !happens) continue;
        // It did not know how much of a debt was given.
        const after = { ...fieldsOf(happens(invoiceOf(row), now)), amountGiven: ZERO };
        const dueAt = expected.dueAt ?? (checksFurther ? now : null);
        expect(text(after)).toEqual(text({ ...withoutLeftover(expected), dueAt }));
      }
  });

  it('goes through its columns without a change', () => {
    for (const { row } of ROWS) {
      const invoice = invoiceOf(row);
      const columns = Object.fromEntries(
        invoiceRows.names.map((name, index) => [name, invoiceRows.store(invoice)[index]]),
      );
      expect(text(fieldsOf(invoiceRows.load(columns)))).toEqual(text(fieldsOf(invoice)));
    }
    expect(invoiceRows.names).toEqual(invoiceColumns.names);
  });

  it.each([
    ['is to be charged never', { status: 'pending', dueAt: null }],
    ['is paid without a charge', { status: 'paid', chargeRef: null }],
    ['is paid and tried again', { status: 'paid', chargeRef: 'charge', retryable: true }],
    ['is paid and was declined', { status: 'paid', chargeRef: 'charge', reason: 'no' }],
    ['owes a refund and gives it never', { status: 'paid', chargeRef: 'charge', refundOwed: true }],
    ['owes a refund of what was not paid', { status: 'failed', refundOwed: true }],
    ['gave back what was not paid', { status: 'failed', amountRefunded: decimal('1') }],
    ['failed and was charged', { status: 'failed', chargeRef: 'charge' }],
    ['failed and is asked for', { status: 'failed', asked: true }],
    ['failed and is due', { status: 'failed', dueAt: 1 }],
    ['is tried again never', { status: 'failed', retryable: true }],
    ['was never tried and declined', { status: 'pending', reason: 'no', dueAt: 1 }],
    [
      'is paid and taken back',
      { status: 'paid', chargeRef: 'charge', amountDisputed: decimal('1') },
    ],
    ['has a status of no meaning', { status: 'void', dueAt: 1 }],
  ] as const)('that %s is refused by name', (_, wrong) => {
    const row = { ...before.firstRow(START), dueAt: null, amountRefunded: ZERO, ...wrong } as Row;
    expect(() => invoiceOf(row)).toThrow('invoice invoice is in no state: {"status"');
  });
});
