import { DAY, type Decimal, type Earning, ZERO, addMonths, decimal, sum } from '@slipstream/domain';
import type { Run } from '../run/run.js';
import type { World } from '../world/world.js';

export interface InvoiceRow {
  readonly id: string;
  readonly user_id: string;
  readonly subscription_id: string;
  readonly strategy_id: string;
  readonly status: 'pending' | 'paid' | 'failed' | 'chargeback';
  /** In cents, as all amounts of these tables. */
  readonly amount: number;
  readonly amount_refunded: number;
  readonly refund_owed: number;
  readonly amount_given: number;
  readonly tries: number;
  readonly asked: number;
  readonly charge_ref: string | null;
  readonly anchor_at: number | null;
  readonly month: number;
}

interface EarningRow {
  readonly id: string;
  readonly user_id: string;
  readonly kind: Earning['kind'];
  readonly invoice_id: string | null;
  readonly withdrawal_id: string | null;
  readonly amount: number;
  readonly commission: number;
  readonly settles_at: number;
  readonly created_at: number;
}

interface WithdrawalRow {
  readonly id: string;
  readonly user_id: string;
  readonly amount: number;
  readonly status: 'pending' | 'processing' | 'paid' | 'failed' | 'cancelled';
}

type Month = Pick<InvoiceRow, 'amount' | 'anchor_at' | 'month'>;

/** The cents of the whole days of a paid month that remain at `at`, rounded up. */
export function unusedAt({ amount, anchor_at, month }: Month, at: number): number {
  if (anchor_at === null || anchor_at > at) return 0;
  const [from, until] = [addMonths(anchor_at, month - 1), addMonths(anchor_at, month)];
  const left = Math.max(0, Math.floor((until - at) / DAY));
  return Math.ceil((amount * left) / ((until - from) / DAY));
}

const usd = (cents: number): Decimal => decimal(String(cents)).times(decimal('0.01'));
const total = (rows: readonly EarningRow[]): number =>
  rows.reduce((all, row) => all + row.amount, 0);

/** A user's ledger as a domain value. */
export const earningsOf = (world: World, userId: string) =>
  world.database
    .rows<EarningRow>('SELECT * FROM earnings WHERE user_id = ? ORDER BY rowid', userId)
    .map(
      ({ amount, settles_at, withdrawal_id }) =>
        ({ amount: usd(amount), settlesAt: settles_at, withdrawalId: withdrawal_id }) as never,
    );

/** M1: a month is paid at most once, exactly when the invoice is paid; only paid amounts are refunded. */
function checkInvoice(world: World, invoice: InvoiceRow): void {
  const { id, status, amount, amount_refunded, tries } = invoice;
  const say = (text: string): void => world.violate('M1', `invoice ${id} is ${status} and ${text}`);
  const charges = [...world.payments.charges.values()].filter((one) => one.invoiceId === id);
  const paid = charges.filter(({ answer }) => answer.kind === 'paid');
  if (paid.length > 1) say(`was charged ${paid.length} times`);
  if (charges.length > tries) say(`was tried ${charges.length} times under its ${tries} keys`);
  const [charge] = paid;
  if (charge && !decimal(charge.amount).eq(usd(amount))) say(`was charged ${charge.amount}`);
  const wasPaid = status === 'paid' || status === 'chargeback';
  if (wasPaid && (charge?.answer.kind !== 'paid' || charge.answer.ref !== invoice.charge_ref))
    say('the gateway has no such charge');
  if (status === 'failed' && charge) say('the gateway was paid');
  const refund = decimal(world.payments.refunds.get(`${id}-refund`) ?? '0');
  if (refund.gt(usd(amount))) say(`${refund.toFixed()} were given back`);
  const isTold = !world.payments.untold.has(invoice.charge_ref ?? '');
  const known = usd(amount_refunded);
  const isKnown = invoice.refund_owed === 1 ? refund.lte(known) : refund.eq(known);
  if (isTold && refund.gt(ZERO) && !isKnown) say(`${refund.toFixed()} were given back`);
  if (amount_refunded > (wasPaid ? amount : 0)) say('more is given back than was paid');
}

const WEEK = 7 * DAY;

/** M2: each paid invoice is earned once; its parts add up to the amount paid less refunds, and settle once it is final. */
function checkSale(world: World, invoice: InvoiceRow, rows: readonly EarningRow[]): void {
  const { id, status, amount, amount_refunded, anchor_at, month } = invoice;
  const own = rows.filter((row) => row.invoice_id === id);
  const say = (text: string): void => world.violate('M2', `of invoice ${id}, ${status}, ${text}`);
  const [sale, ...later] = own;
  const wasPaid = status === 'paid' || status === 'chargeback';
  if (wasPaid !== (sale !== undefined)) say(`${own.length} rows are in the ledger`);
  if (!sale) return;
  if (sale.kind !== 'sale' || sale.amount + sale.commission !== amount)
    say('the sale is not the amount');
  if (later.some(({ kind }) => kind === 'sale')) say('it was earned twice');
  const left = total(own) + own.reduce((all, row) => all + row.commission, 0);
  if (left !== (status === 'paid' ? amount - amount_refunded : 0))
    say(`${left} cents are left in the ledger`);
  if (total(own) < 0) say('more is taken back than was earned');
  if (anchor_at !== null && sale.settles_at < addMonths(anchor_at, month) + WEEK)
    say('it settles while it can be given back');
  const kept = own.findLast(({ kind }) => kind === 'kept');
  if (kept) world.reach('earnings: kept after a refund');
  // What a later refund elsewhere leaves settles with what was left before.
  const isElsewhere = world.payments.isRefundedElsewhere();
  const keptSince = isElsewhere ? own.find(({ kind }) => kind === 'kept') : kept;
  if (kept && kept.settles_at < Math.min(sale.settles_at, (keptSince ?? kept).created_at + WEEK))
    say('what is kept settles too early');
}

/** M5: the service never pays out more than it got, and only chargebacks are owed, and refunds that were made elsewhere. */
function checkHoldings(world: World, rows: readonly EarningRow[]): void {
  const { charges, refunds, payOuts } = world.payments;
  const paid = sum(
    [...charges.values()]
      .filter(({ answer }) => answer.kind === 'paid')
      .map((charge) => decimal(charge.amount)),
  );
  const out = sum([...refunds.values(), ...payOuts.values()].map((text) => decimal(text)));
  // Who refunds elsewhere what was paid out pays it themselves, until the owner has earned it again.
  if (world.payments.isRefundedElsewhere()) return;
  if (out.gt(paid)) world.violate('M5', `${out.toFixed()} went out of ${paid.toFixed()}`);
  for (const userId of new Set(rows.map((row) => row.user_id))) {
    const own = rows.filter((row) => row.user_id === userId);
    const taken = own.filter(({ kind }) => kind === 'chargeback' || kind === 'reinstated');
    if (total(own) - total(taken) < 0)
      world.violate('M5', `${userId} is at ${total(own)} cents, and no bank took it`);
    if (total(own) < 0) world.reach('earnings: owed');
  }
}

/** M3: a withdrawn amount had settled, and is paid out once, unless it is returned. */
function checkWithdrawal(
  { world, memory }: Run,
  withdrawal: WithdrawalRow,
  rows: readonly EarningRow[],
): void {
  const { id, status, amount, user_id } = withdrawal;
  const say = (text: string): void =>
    world.violate('M3', `withdrawal ${id} is ${status} and ${text}`);
  const place = rows.findIndex((row) => row.withdrawal_id === id);
  const own = rows.filter((row) => row.withdrawal_id === id);
  const isBack = status === 'failed' || status === 'cancelled';
  if (total(own) !== (isBack ? 0 : -amount) || own.length !== (isBack ? 2 : 1))
    say('the ledger does not say so');
  const paidOut = world.payments.payOuts.get(id);
  if ((status === 'pending' || isBack) && paidOut !== undefined) say('was paid out');
  if (status === 'paid' && !decimal(paidOut ?? '0').eq(usd(amount)))
    say(`${paidOut ?? 'nothing'} was paid out`);
  const at = rows[place]?.created_at ?? 0;
  const before = rows.slice(0, place + 1).filter((row) => row.user_id === user_id);
  const settled = before.filter((row) => row.settles_at <= at);
  const isNew = !memory.withdrawals.has(id);
  memory.withdrawals.add(id);
  if (isNew && (total(settled) < 0 || total(before) < 0)) say('more is withdrawn than has settled');
}

interface PricedRow {
  readonly id: string;
  readonly status: string;
  readonly renews_at: number | null;
  readonly price: number;
}

/** M4: only a paid invoice without a chargeback gives access. */
function checkAccess(world: World, invoices: readonly InvoiceRow[]): void {
  const priced = world.database.rows<PricedRow>(
    "SELECT * FROM subscriptions WHERE price > 0 AND relation = 'subscriber'",
  );
  for (const { id, status, renews_at } of priced) {
    const own = invoices.filter((invoice) => invoice.subscription_id === id);
    const opens = status === 'active' || (status === 'past_due' && renews_at !== null);
    world.reach(`subscription: ${status}`);
    if (opens && !own.some((invoice) => invoice.status === 'paid'))
      world.violate('M4', `subscription ${id} is ${status} and nothing was paid`);
    if (opens && own.some((invoice) => invoice.status === 'chargeback'))
      world.violate('M4', `subscription ${id} is ${status} and the bank took a payment back`);
  }
}

/** M6: whoever cannot use what is left of a paid month gets it back, unless their own dispute of it or the end of their account took the access. */
function checkUnused(
  { world, memory }: Run,
  invoices: readonly InvoiceRow[],
  earnings: readonly EarningRow[],
): void {
  const ended = world.database.rows<{ id: string; ends_at: number }>(
    "SELECT id, ends_at FROM subscriptions WHERE price > 0 AND status = 'cancelled' AND ends_at IS NOT NULL",
  );
  const endOf = new Map(ended.map(({ id, ends_at }) => [id, ends_at]));
  const disputed = new Set(
    earnings.filter(({ kind }) => kind === 'reinstated').map((row) => row.invoice_id),
  );
  for (const invoice of invoices) {
    const { id, user_id, subscription_id, status, amount_refunded } = invoice;
    const at = endOf.get(subscription_id);
    if (at === undefined || status !== 'paid' || disputed.has(id) || memory.leaving.has(user_id))
      continue;
    const unused = unusedAt(invoice, at);
    if (amount_refunded < unused)
      world.violate('M6', `${amount_refunded} of ${unused} cents of ${id} are given back`);
  }
}

/** M7: a deleted account has no card, no session, no strategy and no subscription, and nothing is charged or paid out for it. */
function checkDeleted(world: World): void {
  for (const { id } of world.database.rows<{ id: string }>(
    'SELECT id FROM users WHERE deleted_at IS NOT NULL',
  )) {
    world.reach('user: deleted');
    for (const [what, sql] of LEFT_BEHIND)
      if (world.database.rows(sql, id).length > 0)
        world.violate('M7', `the deleted user ${id} has ${what}`);
  }
}

const LEFT_BEHIND = [
  [
    'a payment source',
    "SELECT id FROM payment_sources WHERE user_id = ? AND (status <> 'deleted' OR sealed_details IS NOT NULL)",
  ],
  ['a token', 'SELECT id FROM tokens WHERE user_id = ?'],
  ['a strategy', 'SELECT id FROM strategies WHERE user_id = ? AND deleted_at IS NULL'],
  [
    'a subscription',
    "SELECT id FROM subscriptions WHERE user_id = ? AND relation = 'subscriber' AND status <> 'cancelled'",
  ],
  [
    'an invoice to be charged',
    "SELECT id FROM invoices WHERE user_id = ? AND status IN ('pending', 'failed') AND asked = 0 AND due_at IS NOT NULL",
  ],
  [
    'an open withdrawal',
    "SELECT id FROM withdrawals WHERE user_id = ? AND status IN ('pending', 'processing')",
  ],
] as const;

/** Checks payments, earnings and withdrawals against the gateway's own records. */
export function checkMoney(run: Run): void {
  const { world } = run;
  const { database } = world;
  const invoices = database.rows<InvoiceRow>('SELECT * FROM invoices');
  const earnings = database.rows<EarningRow>('SELECT * FROM earnings ORDER BY rowid');
  for (const invoice of invoices) {
    world.reach(`invoice: ${invoice.status}${invoice.amount_refunded > 0 ? ' refunded' : ''}`);
    checkInvoice(world, invoice);
    checkSale(world, invoice, earnings);
  }
  for (const withdrawal of database.rows<WithdrawalRow>('SELECT * FROM withdrawals')) {
    world.reach(`withdrawal: ${withdrawal.status}`);
    checkWithdrawal(run, withdrawal, earnings);
  }
  checkAccess(world, invoices);
  checkUnused(run, invoices, earnings);
  checkHoldings(world, earnings);
  checkDeleted(world);
}

/** At rest, no request to the gateway is open, and the tables agree with the gateway. */
export function checkMoneyRests(world: World): void {
  const invoices = world.database.rows<InvoiceRow>('SELECT * FROM invoices');
  const known = new Map(invoices.map((invoice) => [invoice.id, invoice]));
  for (const { id, status, asked, refund_owed } of invoices) {
    // A chargeback is not refunded too, unless the dispute is won.
    if (status !== 'chargeback' && (asked === 1 || refund_owed === 1 || status === 'pending'))
      world.violate('liveness', `invoice ${id} is ${status} and still waits for the gateway`);
  }
  for (const { invoiceId, key } of world.payments.charges.values()) {
    if (!known.has(invoiceId)) world.violate('M1', `the gateway charged ${key} for no invoice`);
  }
  const owed = sum(
    invoices.map(({ status, refund_owed, amount_given, amount_refunded }) =>
      usd(status === 'chargeback' && refund_owed === 1 ? amount_given : amount_refunded),
    ),
  );
  const given = sum([...world.payments.refunds.values()].map((text) => decimal(text)));
  if (!owed.eq(given))
    world.violate('M1', `${owed.toFixed()} are owed back, ${given.toFixed()} were given`);
  const [stuck] = world.database.rows<WithdrawalRow>(
    "SELECT * FROM withdrawals WHERE status = 'processing'",
  );
  if (stuck) world.violate('liveness', `withdrawal ${stuck.id} is still processing`);
  if (given.gt(ZERO)) world.reach('calm: all refunds given');
}
