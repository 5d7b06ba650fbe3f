/** The stored reference of a payment source: ids of Stripe, no card number. */
export type StripeSource =
  | { readonly customer: string; readonly paymentMethod: string }
  /** A payment method that its owner must confirm first. */
  | { readonly customer: string; readonly setup: string }
  | { readonly account: string };

export const sourceRef = (source: StripeSource): string => JSON.stringify(source);

/** Undefined if the source was linked by another gateway, before this one was configured. */
export function readSource(ref: string): StripeSource | undefined {
  if (!ref.startsWith('{')) return undefined;
  const { customer, paymentMethod, setup, account } = JSON.parse(ref) as Record<string, unknown>;
  if (typeof account === 'string') return { account };
  if (typeof customer === 'string' && typeof paymentMethod === 'string') {
    return { customer, paymentMethod };
  }
  if (typeof customer === 'string' && typeof setup === 'string') return { customer, setup };
  return undefined;
}
