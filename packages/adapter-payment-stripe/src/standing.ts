import { type Decimal, decimal, DAY } from '@slipstream/domain';
import { type ChargeStanding, ChargeUnknown } from '@slipstream/ports';
import type Stripe from 'stripe';
import { refusalOf, unreachable } from './stripe-errors.js';

/** A card payment can be disputed for about four months, and a dispute takes about two more. */
const WATCHED_FOR = 180 * DAY;
const LONGEST_PAUSE = 14 * DAY;
const HUNDREDTH = decimal('0.01');

const usdOf = (cents: number): Decimal => decimal(String(cents)).times(HUNDREDTH);

/** Stripe posts changes, but a notice can be lost. So each charge is also checked, at intervals that grow with its age. */
export function nextCheck(chargedAt: number, now: number): number | null {
  const age = now - chargedAt;
  if (age > WATCHED_FOR) return null;
  return now + Math.min(LONGEST_PAUSE, Math.max(DAY, age));
}

/** Statuses of disputes whose money is the payer's. An appeal is against a decision that took it. */
const TAKING: readonly string[] = [
  'needs_response',
  'under_review',
  'lost',
  'appeal_needs_response',
  'appeal_under_review',
];

/**
 * Whether the payer has the money of a dispute. A won one returned it; an inquiry (`warning_…`) takes none. Of other statuses, such as
 * `prevented`, the moves of money tell alone.
 */
function takesMoney({ status, balance_transactions: moves }: Stripe.Dispute): boolean {
  if (status === 'won' || status.startsWith('warning_')) return false;
  const moved = moves.reduce((all, { amount }) => all + amount, 0);
  return TAKING.includes(status) ? moves.length < 2 || moved < 0 : moved < 0;
}

/**
 * The cents that refunds of a charge gave, how many of them failed, and how many were asked for by `key`. One to a closed card fails
 * days after it was made.
 */
export async function refundsOf(
  stripe: Stripe,
  chargeRef: string,
  key?: string,
): Promise<{ readonly given: number; readonly failed: number; readonly own: number }> {
  let [given, failed, own] = [0, 0, 0];
  for await (const one of stripe.refunds.list({ payment_intent: chargeRef, limit: 100 })) {
    if (one.status === 'failed' || one.status === 'canceled') failed += 1;
    else given += one.amount;
    if (key !== undefined && one.metadata?.['key'] === key) own += 1;
  }
  return { given, failed, own };
}

export async function standingOf(
  stripe: Stripe,
  chargeRef: string,
  now: number,
): Promise<ChargeStanding> {
  try {
    const intent = await stripe.paymentIntents.retrieve(chargeRef);
    const { data: disputes } = await stripe.disputes.list({
      payment_intent: chargeRef,
      limit: 100,
    });
    const { given, failed } = await refundsOf(stripe, chargeRef);
    const taking = disputes.filter(takesMoney);
    const isLost = taking.every(({ status }) => status === 'lost');
    const taken = taking.reduce((all, { amount }) => all + amount, 0);
    // What its decision gives is owed to somebody, and its notice can be lost, too.
    const isOpen = taking.length > 0 && !isLost;
    const checkAt = nextCheck(intent.created * 1000, now) ?? (isOpen ? now + LONGEST_PAUSE : null);
    return {
      ...(taking.length > 0
        ? { kind: 'charged_back', disputed: usdOf(taken), isLost }
        : { kind: 'paid' }),
      refunded: usdOf(given),
      hasFailedRefund: failed > 0,
      checkAgainAt: checkAt,
    };
  } catch (error) {
    if (refusalOf(error) === 'resource_missing')
      throw new ChargeUnknown(`Stripe does not know ${chargeRef}`);
    throw unreachable(error);
  }
}
