import type { ResponseOf } from '@slipstream/wire';
import { OPERATOR_TOKEN } from '../helpers/composed-server.js';
import { allOf } from '../figures/all-of.js';
import { type Deal, titleOf } from './deals.js';
import type { Account, World } from './world.js';

type Invoice = ResponseOf<'getInvoices'>[number];
type Subscription = ResponseOf<'getStrategySubscriptions'>[number];

const time = (at: number | null): string => (at === null ? '-' : new Date(at).toISOString());
const usd = (cents: number): string => String(cents / 100);

const shownInvoice = (one: Invoice): string =>
  [one.description, one.amount, one.status, one.amount_refunded, one.retryable].join('|');
const shownDeal = (one: Subscription): string =>
  [one.strategy_id, one.status, one.price, one.renews_at ?? '-', one.ends_at ?? '-'].join('|');

const sentInvoice = (one: object): string => {
  const { description, amount, status, amount_refunded } = one as Invoice;
  return [description, amount, status, amount_refunded].join('|');
};

/** What the ledger says that a payer is shown. */
function expectedOf({ ledger }: World, name: string) {
  const own = ledger.deals.filter(({ payer }) => payer === name);
  const invoices = own.flatMap((deal) =>
    deal.months.map((month) => {
      const isOpen = month.key !== null || (month.declines === 0 && month.dueAt !== null);
      const isTried = month.dueAt !== null && month.key === null && month.declines > 0;
      const status = month.charge
        ? month.taken === null
          ? 'paid'
          : 'chargeback'
        : isOpen
          ? 'pending'
          : 'failed';
      const title = titleOf(deal, month);
      const refunded = month.charge ? ledger.toldRefund(month) : 0;
      return [title, deal.price, status, usd(refunded), isTried].join('|');
    }),
  );
  const subscriptions = own.map((one: Deal) =>
    [one.strategy.id, one.status, one.price, time(one.renewsAt), time(one.endsAt)].join('|'),
  );
  return { invoices: invoices.sort(), subscriptions: subscriptions.sort() };
}

/** Every place that tells an account of its money, against the ledger. */
async function checkAccount(world: World, { name, token }: Account): Promise<void> {
  const { server, ledger, clock } = world;
  const differ = (what: string, told: unknown, expected: unknown): void => {
    const [one, other] = [JSON.stringify(told), JSON.stringify(expected)];
    if (one !== other)
      ledger.wrong.push(`${name} ${what}:\n  told     ${one}\n  expected ${other}`);
  };
  const invoices = await allOf<Invoice>(server, 'getInvoices', {}, token);
  const subscriptions = (
    await server.ask('getStrategySubscriptions', { limit: 100 }, token)
  ).filter(({ relation }) => relation === 'subscriber');
  const expected = expectedOf(world, name);
  differ('invoices', invoices.map(shownInvoice).sort(), expected.invoices);
  if (subscriptions.length < 90)
    differ('subscriptions', subscriptions.map(shownDeal).sort(), expected.subscriptions);

  // An endpoint got the last change of each as the reads show it; that nothing is tried any more is none.
  const sent = [...(world.sent.get(name)?.values() ?? [])];
  const isSent = (one: object, field: string): boolean => field in one;
  differ(
    'sent invoices',
    sent
      .filter((one) => isSent(one, 'invoice_id'))
      .map(sentInvoice)
      .sort(),
    invoices.map(sentInvoice).sort(),
  );
  if (subscriptions.length < 90)
    differ(
      'sent subscriptions',
      sent
        .filter((one) => !isSent(one, 'invoice_id') && one['relation'] === 'subscriber')
        .map((one) => shownDeal(one as unknown as Subscription))
        .sort(),
      expected.subscriptions,
    );
  const { balance, settled_balance, withdrawals } = await server.ask('getWithdrawals', {}, token);
  const earnings = ledger.earnings(name, clock.now());
  differ('earnings', [balance, settled_balance], [usd(earnings.balance), usd(earnings.settled)]);
  const outs = ledger.outs.filter(({ owner }) => owner === name);
  differ(
    'withdrawals',
    withdrawals.map((one) => [one.amount, one.status].join(' ')),
    outs
      .toReversed()
      .slice(0, 100)
      .map((one) => [usd(one.cents), one.status].join(' ')),
  );

  // The export has the same records, and the entries of which the balance is the sum.
  const whole = await server.ask('getUserExport', { limit: 100 }, token);
  if (whole.next_cursor === null) {
    differ('export of invoices', whole.invoices, invoices);
    const sum = whole.earnings.reduce((all, one) => all + Math.round(Number(one.amount) * 100), 0);
    differ('export of earnings', usd(sum), balance);
  }
  const csv = await server.call('GET', '/getInvoices', { query: 'format=csv', token });
  const [head = '', ...lines] = csv.text.trimEnd().split('\n');
  const at = (field: string): number => head.split(',').indexOf(field);
  differ(
    'CSV',
    lines.map((line) => line.split(',')[at('invoice_id')]),
    invoices.slice(0, 100).map(({ invoice_id }) => invoice_id),
  );
  checkMails(world, name);
}

/** The words of the ledger for a mail; undefined if it is not about money. */
function wordsOf({ text }: World['mails'][number]): string | undefined {
  const [, paid, what, end] = /^You paid ([\d.]+) USD for (.+), (until .+)\.\n/.exec(text) ?? [];
  if (paid !== undefined) return `paid ${paid} ${what} ${end}`;
  const [, late, of] =
    /^You were charged ([\d.]+) USD for (.+), and the subscription/.exec(text) ?? [];
  if (late !== undefined) return `refunded ${late} ${of}`;
  const [, declined, title] = /^The charge of ([\d.]+) USD for (.+) was declined/.exec(text) ?? [];
  if (declined !== undefined) return `declined ${declined} ${title}`;
  if (text.includes('a month has ended: '))
    return `ended ${/([\d.]+) USD of what you paid are refunded/.exec(text)?.[1] ?? '0.00'}`;
  const [, out, fate] = /^Withdrawal \S+ of ([\d.]+) USD (was paid out|failed)/.exec(text) ?? [];
  if (out !== undefined) return `withdrawal ${out} ${fate === 'failed' ? 'failed' : 'paid'}`;
  if (text.includes('has a new subscriber')) return 'subscriber';
  return /^Strategy “.+” is over/.test(text) ? 'over' : undefined;
}

function checkMails({ ledger, mails }: World, name: string): void {
  const told = mails
    .filter(({ to }) => to === `${name}@example.com`)
    .flatMap((mail) => wordsOf(mail) ?? [])
    .sort();
  const expected = ledger.told
    .filter((one) => one.startsWith(`${name}: `))
    .map((one) => one.slice(name.length + 2))
    .sort();
  if (JSON.stringify(told) === JSON.stringify(expected)) return;
  const without = (all: readonly string[], less: readonly string[]): readonly string[] => {
    const left = [...less];
    return all.filter((one) => {
      const at = left.indexOf(one);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  };
  const [more, missing] = [without(told, expected), without(expected, told)];
  ledger.wrong.push(`mails of ${name}: too many ${more.join(';')}, missing ${missing.join(';')}`);
}

/** What all together tell, and what the bank has. */
async function checkWhole({ server, ledger, bank }: World): Promise<void> {
  const { wrong } = ledger;
  const { failed_payments } = await server.ask('getOverview', {}, OPERATOR_TOKEN);
  const failed =
    ledger.deals
      .flatMap(({ months }) => months)
      .filter((one) => !one.charge && one.key === null && !(one.declines === 0 && one.dueAt))
      .length + ledger.outs.filter(({ status }) => status === 'failed').length;
  if (failed_payments !== failed)
    wrong.push(`overview: ${failed_payments} failed payments, there are ${failed}`);
  const metrics = await server.call('GET', '/metrics');
  if (!metrics.text.includes(`slipstream_failed_payments ${failed}\n`))
    wrong.push('metrics: another number of failed payments');
  // Nothing is lost and nothing made: what cards paid is with payers, banks, owners, the service, or paid out.
  const months = ledger.deals.flatMap(({ months: all }) => all);
  const charged = [...bank.charges.values()].reduce((sum, { cents }) => sum + cents, 0);
  const known = months.reduce((sum, { charge }) => sum + (charge?.cents ?? 0), 0);
  if (charged !== known) wrong.push(`the bank charged ${charged}, the ledger knows ${known}`);
  for (const { charge, taken, ...month } of months) {
    if (!charge) continue;
    if (charge.refunded > charge.cents) wrong.push(`${charge.ref}: more given back than charged`);
    if (taken === null && charge.refunded > ledger.toldRefund({ ...month, charge, taken }))
      wrong.push(`${charge.ref}: ${charge.refunded} given back, and less is told`);
  }
  const paidOut = ledger.outs.filter(({ status }) => status === 'paid');
  const out = [...bank.payOuts].map(([id, cents]) => `${id} ${cents}`).sort();
  if (
    out.join() !==
    paidOut
      .map(({ id, cents }) => `${id} ${cents}`)
      .sort()
      .join()
  )
    wrong.push('what the bank paid out is not what is told as paid');
}

/** Compares all places with the ledger; only while the bank answers, since nobody knows what it would say. */
export async function compare(world: World): Promise<void> {
  if (world.bank.state.isDown) return;
  world.bank.troubles.splice(0);
  for (let rounds = 0; rounds < 3; rounds += 1) {
    world.clock.advance(61_000);
    await world.run();
  }
  for (const person of world.people) await checkAccount(world, person);
  await checkWhole(world);
}
