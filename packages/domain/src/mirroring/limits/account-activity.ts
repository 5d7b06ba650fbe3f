import type { Decimal } from '../../numbers/decimal.js';
import type { StockId, Timestamp } from '../../ids.js';

/**
 * What changes an account beside orders. `transfer`: money or shares that its owner moved in or out. `income`: dividends and
 * interest. `fee`: what the broker or an authority charges. `exchange`: shares that came or went for those of another stock, as in a merger.
 * `split`: more or fewer shares of the same stock. `other`: anything else, also what the adapter does not know.
 */
export const ACTIVITY_KINDS = ['transfer', 'income', 'fee', 'exchange', 'split', 'other'] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/** A change of an account that its broker reports, and that no order made. */
export interface AccountActivity {
  readonly id: string;
  /** When it was booked. The end of the day, where the broker names only that. */
  readonly at: Timestamp;
  readonly kind: ActivityKind;
  /** The broker's word for it. */
  readonly name: string;
  /** Signed change of the cash. */
  readonly cash: Decimal;
  /** The stock whose amount changed; null when only cash did. */
  readonly stockId: StockId | null;
  /** Signed change of that amount. */
  readonly amount: Decimal;
}
