import type { Security } from '@slipstream/domain';
import type { Prices } from './bar.js';
import type { BarTime, SaidTime } from './times.js';

/** What a row says, before its place in time is known. */
export type SaidRow =
  | { readonly kind: 'unneeded' }
  | {
      readonly kind: 'bar';
      readonly symbol: string | undefined;
      readonly security: Security | undefined;
      readonly time: SaidTime;
      /** The end of the period, where the format has it. */
      readonly endsAt?: number;
      readonly prices: Prices;
      readonly asks: Prices | null;
    }
  | {
      readonly kind: 'split';
      readonly symbol: string | undefined;
      readonly date: string;
      readonly newShares: number;
      readonly oldShares: number;
    }
  | {
      readonly kind: 'dividend';
      readonly symbol: string | undefined;
      readonly date: string;
      readonly amount: string;
    };

/** Which rows matter; the others are not read further. */
export type Wanted = (symbol: string, security: Security | undefined) => boolean;

/** The reading of a format's rows. A text is the reason why a row cannot be used. */
export interface RowFormat {
  readonly name: string;
  /** The place of a bar's time in its period, where the format fixes it. */
  readonly barTime?: BarTime;
  /** Whether the first line names the columns. */
  readonly hasHeader: boolean;
  read(cells: readonly string[]): SaidRow | string;
}

/** How the prices of a file with adjusted closes are read. */
export type PriceChoice = 'as_given' | 'adjusted';
