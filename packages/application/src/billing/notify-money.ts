import {
  type Decimal,
  type Invoice,
  type Subscription,
  type Withdrawal,
  ZERO,
  declineText,
  givesAccess,
} from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import { notifyOfAccount } from '../messages/notify-of-account.js';
import { hasEnded } from './billed.js';
import { earned } from './ledger.js';

type Needs = Pick<Core, 'ids' | 'clock' | 'secretBox' | 'settings'>;
type Kept = Pick<Stores, 'users' | 'notifications' | 'mails' | 'events'>;
type KeptOfStrategies = Kept & Pick<Stores, 'strategies'>;

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;

/** Notifies the payer of a declined charge, with the reason and the next step. */
export const notifyDeclined = (needs: Needs, stores: Kept, invoice: Invoice): Promise<void> =>
  notifyOfAccount(needs, stores, {
    userId: invoice.userId,
    subject: 'A charge was declined',
    text: sentence(declineText(invoice)),
    strategyId: invoice.strategyId,
    isAboutAccount: true,
  });

/** Notifies the payer of a charge that was answered after the end of its subscription: all of it is given back. */
export const notifyLatePayment = (needs: Needs, stores: Kept, invoice: Invoice): Promise<void> =>
  notifyOfAccount(needs, stores, {
    userId: invoice.userId,
    subject: 'A charge is refunded',
    text: `You were charged ${invoice.amount.toFixed(2)} USD for ${invoice.description}, and the subscription had ended by then: all of it is refunded.`,
    strategyId: invoice.strategyId,
    isAboutAccount: true,
  });

/**
 * Notifies the follower of a priced strategy whose subscription ended without their action, and of what is refunded by that. Does nothing if it
 * did not end.
 */
export async function notifyEnded(
  needs: Needs,
  stores: KeptOfStrategies,
  before: Subscription,
  after: Subscription,
  refunded = ZERO,
): Promise<void> {
  if (!hasEnded(before, after) || after.price === 0) return;
  const { userId, strategyId, price, statusReason } = after;
  const strategy = await stores.strategies.find(strategyId);
  // Whoever never paid, and is not invited any more, may not know what a private one is called now.
  const isNamed = strategy && (!strategy.private || givesAccess(before));
  const called = isNamed ? `“${strategy.name}”` : strategyId;
  const refund = refunded.gt(ZERO) ? ` ${refundText(refunded)}` : '';
  await notifyOfAccount(needs, stores, {
    userId,
    subject: 'A subscription has ended',
    text: `Your subscription to ${called} of ${price} USD a month has ended: ${statusReason ?? 'what was paid for is over'}.${refund}`,
    strategyId,
  });
}

const refundText = (amount: Decimal): string =>
  `${amount.toFixed(2)} USD of what you paid are refunded, for the days that are left.`;

/** What happened to a payment that its owner neither did nor saw. A refund that failed is made again, so of that nothing is told. */
const TAKEN_BACK = {
  chargeback: { subject: 'A payment was charged back', what: 'was charged back' },
  refund: { subject: 'A payment was refunded', what: 'was refunded at the payment gateway' },
  dispute_won: { subject: 'A dispute was won', what: 'was disputed, and the dispute is won' },
  refund_failed: null,
} as const;

/** Notifies the owner of the strategy that their earnings changed by `amount`, because of the bank or the gateway. */
export async function notifyTakenBack(
  needs: Needs & Pick<Core, 'paymentGateway'>,
  stores: KeptOfStrategies & Pick<Stores, 'earnings'>,
  { strategyId, description }: Invoice,
  { kind, amount }: { readonly kind: keyof typeof TAKEN_BACK; readonly amount: Decimal },
): Promise<void> {
  const isLoss = amount.lt(ZERO);
  // What a won dispute gave back may be refunded by the time that both are heard of.
  const told = TAKEN_BACK[isLoss && kind === 'dispute_won' ? 'refund' : kind];
  const userId = (await stores.strategies.find(strategyId))?.userId;
  if (!told || !userId || amount.eq(ZERO)) return;
  const { balance } = await earned(needs, stores, userId, needs.clock.now());
  const effect = isLoss ? 'are taken from your earnings' : 'are among your earnings again';
  await notifyOfAccount(needs, stores, {
    userId,
    subject: told.subject,
    text: `A payment for ${description} ${told.what}: ${amount.abs().toFixed(2)} USD ${effect}, which are at ${balance.toFixed(2)} USD now.`,
    strategyId,
    isAboutAccount: true,
  });
}

/** Notifies the owner of the result of a withdrawal. */
export const notifyWithdrawal = (
  needs: Needs,
  stores: Kept,
  { id, userId, amount, status, reason }: Withdrawal,
): Promise<void> =>
  notifyOfAccount(needs, stores, {
    userId,
    subject: status === 'paid' ? 'A withdrawal was paid out' : 'A withdrawal failed',
    text:
      status === 'paid'
        ? `Withdrawal ${id} of ${amount.toFixed(2)} USD was paid out.`
        : `Withdrawal ${id} of ${amount.toFixed(2)} USD failed and is among your earnings again: ${reason ?? 'no reason was given'}.`,
  });
