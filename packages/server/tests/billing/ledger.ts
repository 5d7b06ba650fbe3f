import type { ChargeCall, OutCall, SeenCall } from './bank.js';
import {
  DAY,
  MINUTE,
  type Month,
  type Out,
  type Sold,
  type Deal,
  dollars,
  from,
  half,
  halfEven,
  monthsAfter,
  newest,
  titleOf,
  until,
} from './deals.js';

/** A ledger beside the service: from what people did and what the bank was asked, what everybody is to be told. */
export class Ledger {
  readonly deals: Deal[] = [];
  readonly outs: Out[] = [];
  /** What users are told by mail: `name: what`. */
  readonly told: string[] = [];
  readonly wrong: string[] = [];
  /** The payer of each card. */
  readonly cards = new Map<string, string>();
  /** The card that each pays with. */
  readonly primary = new Map<string, string>();

  /** Accounts that are deleted: nobody tells them anything. */
  readonly gone = new Set<string>();
  /** When a new follower was told last: once an hour. */
  private readonly toldOf = new Map<string, number>();

  say(who: string, what: string): void {
    if (!this.gone.has(who)) this.told.push(`${who}: ${what}`);
  }

  private sayFollower({ payer, strategy }: Deal, now: number): void {
    const key = `${payer} ${strategy.id}`;
    if (now - (this.toldOf.get(key) ?? -Infinity) < 3_600_000) return;
    this.toldOf.set(key, now);
    this.say(strategy.owner, 'subscriber');
  }

  current(payer: string, strategy: Sold): Deal | undefined {
    return this.deals.find(
      (one) => one.payer === payer && one.strategy === strategy && one.status !== 'cancelled',
    );
  }

  follow(payer: string, strategy: Sold, now: number): void {
    const current = this.current(payer, strategy);
    if (current) {
      current.renewsAt = current.endsAt;
      current.endsAt = null;
      return;
    }
    const isFree = strategy.price === 0;
    const deal: Deal = {
      ...{ payer, strategy, price: strategy.price, status: isFree ? 'active' : 'pending' },
      ...{ anchor: null, renewsAt: null, endsAt: null },
      months: isFree ? [] : [this.month(1, now)],
    };
    this.deals.push(deal);
    if (isFree) this.sayFollower(deal, now);
  }

  private month(number: number, now: number): Month {
    return {
      ...{ number, madeAt: now, tries: 0, firstTryAt: null, dueAt: now, key: null, declines: 0 },
      ...{ charge: null, owed: 0, settlesAt: Infinity, taken: null, refunded: 0, refundAt: 0 },
    };
  }

  /** The follower leaves: what is paid runs to its end. */
  leave(deal: Deal, now: number): void {
    const last = newest(deal);
    if (deal.status === 'active' && last?.charge) {
      deal.endsAt ??= deal.renewsAt;
      deal.renewsAt = null;
    } else this.end(deal, now, false);
  }

  /** It ends at once; `isOwed`: whoever did not decide it gets the unused days back, and is told so. */
  end(deal: Deal, at: number, isOwed: boolean): void {
    let refund = 0;
    deal.status = 'cancelled';
    deal.endsAt = at;
    deal.renewsAt = null;
    for (const month of deal.months) {
      if (month.key === null) month.dueAt = null;
      const before = this.toldRefund(month);
      if (isOwed) this.oweUnused(deal, month, at);
      refund += this.toldRefund(month) - before;
    }
    if (isOwed && deal.price > 0) this.say(deal.payer, `ended ${dollars(refund)}`);
  }

  private oweUnused(deal: Deal, month: Month, at: number): void {
    const { charge } = month;
    if (!charge || deal.anchor === null || month.taken !== null) return;
    const [begin, end] = [from(deal, month), until(deal, month)];
    const days = Math.round((end - begin) / DAY);
    const unused = Math.min(days, Math.floor((end - at) / DAY));
    const cents = unused > 0 ? Math.ceil((charge.cents * unused) / days) : 0;
    if (cents <= this.toldRefund(month)) return;
    month.owed = cents;
    month.settlesAt = Math.min(month.settlesAt, at + 7 * DAY);
  }

  /** What its payer is told to get back. */
  toldRefund({ owed, refunded, taken }: Month): number {
    return taken === null ? Math.max(owed, refunded) : refunded;
  }

  /** What is left of a charge for owner and service, in cents. */
  leftOf(month: Month): number {
    const { charge, owed, refunded, taken } = month;
    if (!charge) return 0;
    return Math.max(0, charge.cents - Math.max(refunded + (taken ?? 0), owed));
  }

  /** When something comes due. */
  moments(): number[] {
    return this.deals.flatMap(({ renewsAt, endsAt, months }) => [
      ...[renewsAt ?? Infinity, endsAt ?? Infinity],
      ...months.flatMap(({ dueAt, settlesAt }) => [dueAt ?? Infinity, settlesAt]),
    ]);
  }

  /** Before the requests of a run: what ends or renews by now. */
  tick(now: number): void {
    for (const deal of this.deals) {
      if (deal.status === 'cancelled') continue;
      if (deal.endsAt !== null && deal.endsAt <= now) {
        deal.status = 'cancelled';
        deal.renewsAt = null;
        this.say(deal.payer, 'ended 0.00');
        continue;
      }
      if (deal.status === 'active' && deal.renewsAt !== null && deal.renewsAt <= now)
        this.renew(deal, now);
    }
  }

  /** Whether its month is half over: the rest of it is free. A first one that was never paid counts from when it was asked for. */
  private isLate(deal: Deal, { number, madeAt }: Month, now: number): boolean {
    return half({ ...deal, anchor: deal.anchor ?? madeAt }, number) <= now;
  }

  private renew(deal: Deal, now: number): void {
    let number = (newest(deal)?.number ?? 0) + 1;
    while (half(deal, number) <= now) number += 1;
    const begins = monthsAfter(deal.anchor ?? 0, number - 1);
    if (begins > now) deal.renewsAt = begins;
    else {
      deal.months.push(this.month(number, now));
      deal.renewsAt = monthsAfter(deal.anchor ?? 0, number);
    }
  }

  /** The rest of a renewal is free; whoever asked for a first month so long ago pays nothing, and has nothing. */
  private forgive(deal: Deal, month: Month, now: number): void {
    month.dueAt = null;
    month.key = null;
    if (deal.anchor === null && deal.status !== 'cancelled') {
      this.end(deal, now, false);
      this.say(deal.payer, 'ended 0.00');
    }
    if (deal.status === 'past_due') deal.status = 'active';
  }

  /** The month that a request is for: its own key, or one that is due. */
  private monthOf(call: ChargeCall) {
    const payer = this.cards.get(call.card);
    const found = this.deals.filter(
      ({ payer: one, strategy }) => one === payer && `product-${strategy.id}` === call.product,
    );
    const all = found.flatMap((deal) => deal.months.map((month) => ({ deal, month })));
    return (
      all.find(({ month }) => month.key === call.key) ??
      all.find(({ month: { key, dueAt } }) => key === null && dueAt !== null && dueAt <= call.at)
    );
  }

  /** A request that the bank got. */
  asked(call: ChargeCall): void {
    const payer = this.cards.get(call.card);
    // Where the rest of a month became free, the next one may be billed in the same run.
    if (!this.monthOf(call)) this.tick(call.at);
    const { deal, month } = this.monthOf(call) ?? {};
    const title = `charge ${call.key} of ${payer} at ${new Date(call.at).toISOString()}`;
    if (!deal || !month) return void this.wrong.push(`${title}: nothing was due`);
    if (call.cents !== deal.price * 100)
      this.wrong.push(`${title}: ${call.cents} instead of ${deal.price}`);
    if (month.key === null) {
      if (month.dueAt === null || month.dueAt > call.at) this.wrong.push(`${title}: too early`);
      if (deal.status === 'cancelled') this.wrong.push(`${title}: it has ended`);
      if (call.card !== this.primary.get(deal.payer)) this.wrong.push(`${title}: not that card`);
      month.tries += 1;
      month.firstTryAt ??= call.at;
      if (month.tries > 3) this.wrong.push(`${title}: attempt ${month.tries}`);
    } else if (month.key !== call.key) this.wrong.push(`${title}: under another key`);
    if (call.isLookup !== this.isLate(deal, month, call.at))
      this.wrong.push(`${title}: lookup ${call.isLookup}`);
    month.key = call.key;
    month.dueAt = call.at + MINUTE;
    if (call.heard === 'paid') this.paid(deal, month, call);
    else if (call.heard === 'declined') this.declined(deal, month, call.at);
    else if (call.heard === 'not_made') this.forgive(deal, month, call.at);
  }

  private paid(deal: Deal, month: Month, { at, charge }: ChargeCall): void {
    month.key = null;
    month.dueAt = null;
    month.charge = charge ?? null;
    deal.anchor ??= at;
    month.settlesAt = Math.max(at, until(deal, month)) + 7 * DAY;
    if (deal.status === 'cancelled') {
      month.owed = charge?.cents ?? 0;
      this.say(deal.payer, `refunded ${deal.price}.00 ${titleOf(deal, month)}`);
      return;
    }
    deal.status = 'active';
    deal.renewsAt = Math.max(deal.renewsAt ?? 0, until(deal, month));
    const end = new Date(until(deal, month)).toISOString().slice(0, 16).replace('T', ' ');
    this.say(deal.payer, `paid ${deal.price}.00 ${titleOf(deal, month)} until ${end} UTC`);
    if (month.number === 1) this.sayFollower(deal, at);
  }

  private declined(deal: Deal, month: Month, at: number): void {
    month.key = null;
    month.declines += 1;
    const isLate = month.declines < 3 && this.isLate(deal, month, at);
    if (isLate && deal.anchor !== null && deal.status !== 'cancelled')
      return this.forgive(deal, month, at);
    this.say(deal.payer, `declined ${deal.price}.00 ${titleOf(deal, month)}`);
    if (deal.status === 'cancelled' || month.declines === 3 || isLate) {
      month.dueAt = null;
      if (deal.status !== 'cancelled') this.end(deal, at, false);
      return;
    }
    const pause = month.declines === 1 ? 3 * DAY : 7 * DAY;
    month.dueAt = Math.max((month.firstTryAt ?? at) + pause, at + DAY);
    deal.status = 'past_due';
  }

  /** The service heard how a charge stands. */
  heard({ charge, at, isTaken, taken, refunded }: SeenCall): void {
    const [deal, month] = this.ofCharge(charge.ref);
    month.refunded = Math.max(month.refunded, refunded);
    month.taken = isTaken && taken > 0 ? taken : null;
    if (deal.status === 'cancelled') return;
    const isGivenBack = until(deal, month) > at && month.refunded === charge.cents;
    if (month.taken === null && !isGivenBack) return;
    this.end(deal, at, true);
  }

  private ofCharge(ref: string): readonly [Deal, Month] {
    for (const deal of this.deals)
      for (const month of deal.months) if (month.charge?.ref === ref) return [deal, month];
    throw new Error(`nobody was charged by ${ref}`);
  }

  /** The service asked for a refund. */
  gaveBack({ to, cents, heard, at }: OutCall): void {
    const [, month] = this.ofCharge(to);
    const expected = month.owed - (month.taken ?? 0);
    if (cents !== expected || cents <= month.refunded)
      this.wrong.push(`a refund of ${cents}, ${expected} owed, ${month.refunded} given: ${to}`);
    if (heard === 'done') month.refunded = Math.max(month.refunded, cents);
    month.refundAt = heard === 'refused' ? at + DAY : at + MINUTE;
  }

  /** The service asked for a payout. */
  paidOut({ to, cents, heard }: OutCall): void {
    const out = this.outs.find(({ id }) => id === to);
    if (!out || out.cents !== cents || !['pending', 'processing'].includes(out.status))
      return void this.wrong.push(`a payout of ${cents}: ${to} ${out?.status}`);
    out.status = heard === 'done' ? 'paid' : heard === 'nothing' ? 'processing' : 'failed';
    if (out.status !== 'processing')
      this.say(out.owner, `withdrawal ${dollars(out.cents)} ${out.status}`);
  }

  /** After the requests of a run with a bank that answers: nothing that is due was left out. */
  tock(now: number): void {
    for (const deal of this.deals)
      for (const month of deal.months) {
        const title = `${deal.payer} ${deal.strategy.name} ${month.number}`;
        if (month.dueAt !== null && month.dueAt <= now) this.wrong.push(`${title}: not asked`);
        const isOwed = month.owed - (month.taken ?? 0) > month.refunded && month.taken === null;
        if (isOwed && month.refundAt <= now)
          this.wrong.push(`${title}: ${month.owed} not given back, ${month.refunded} were`);
      }
    for (const out of this.outs.filter(({ status, dueAt }) => status === 'pending' && dueAt <= now))
      if (this.earnings(out.owner, now).settled < 0) {
        out.status = 'failed';
        this.say(out.owner, `withdrawal ${dollars(out.cents)} failed`);
      } else this.wrong.push(`withdrawal ${out.id} was not paid out`);
  }

  /** What the refunds of an end now would take from the owner, in cents. */
  effectOfEnd(which: readonly Deal[], at: number): number {
    let effect = 0;
    for (const deal of which) {
      if (deal.status === 'cancelled') continue;
      for (const month of deal.months) {
        const kept = { owed: month.owed, settlesAt: month.settlesAt };
        const before = this.ownerPart(deal, month);
        this.oweUnused(deal, month, at);
        effect += this.ownerPart(deal, month) - before;
        Object.assign(month, kept);
      }
    }
    return effect;
  }

  private ownerPart({ strategy }: Deal, month: Month): number {
    const left = this.leftOf(month);
    return left - halfEven((left * strategy.percent) / 100);
  }

  /** What an owner is told, in cents. */
  earnings(owner: string, now: number): { readonly balance: number; readonly settled: number } {
    let [balance, settled] = [0, 0];
    for (const deal of this.deals.filter(({ strategy }) => strategy.owner === owner))
      for (const month of deal.months) {
        const part = this.ownerPart(deal, month);
        balance += part;
        if (month.settlesAt <= now) settled += part;
      }
    for (const { owner: one, status, cents } of this.outs)
      if (one === owner && status !== 'failed' && status !== 'cancelled') {
        balance -= cents;
        settled -= cents;
      }
    return { balance, settled: Math.min(balance, settled) };
  }
}
