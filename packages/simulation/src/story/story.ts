import type { Command } from './commands.js';

export * from './commands.js';

export type StorageFault = 'crash_before' | 'crash_after' | 'full' | 'rolled_back';
export type BrokerFault =
  | 'crash_before'
  | 'crash_after'
  | 'lost_request'
  | 'lost_answer'
  | 'server_error'
  | 'refused'
  | 'duplicated'
  | 'reject'
  | 'partial'
  | 'expire'
  | 'rate_limited'
  | 'late';
export type PaymentFault = 'crash_before' | 'crash_after' | 'lost_request' | 'lost_answer';

/** What the `at`-th statement, commit, broker call, order sent to a broker or call of the payment gateway of a step (from 0) meets. */
export type Fault =
  | { readonly on: 'storage' | 'commit'; readonly at: number; readonly kind: StorageFault }
  | { readonly on: 'broker' | 'place'; readonly at: number; readonly kind: BrokerFault }
  | { readonly on: 'payment'; readonly at: number; readonly kind: PaymentFault };

/** Commands that are given at the same time, mostly one. */
export interface Step {
  readonly commands: readonly Command[];
  readonly faults: readonly Fault[];
  /** Who goes on when several could. */
  readonly order: readonly number[];
}

/** What has happened before the first step, so that stories come to their point. */
export const OPENINGS = [
  'bare',
  'waiting',
  'watched',
  'mirrored',
  'held',
  'eve',
  'sold',
  'ruined',
] as const;
export type Opening = (typeof OPENINGS)[number];

/** How the brokers of a story may differ from one that does everything at once, in any fraction and for cash. */
export const MANNERS = ['accepts_first', 'slow_cancel', 'fee_in_asset', 'lends_whole'] as const;
export type Manner = (typeof MANNERS)[number];

/** Everything that a run depends on: the same story is the same run, byte for byte. */
export interface Story {
  readonly opening: Opening;
  /** Reads that name no order answer backwards, so that nobody relies on it. */
  readonly reversed: boolean;
  /** The brokers buy whole shares only, and cross zero in two orders. */
  readonly strictBroker: boolean;
  readonly steps: readonly Step[];
  readonly manners: readonly Manner[];
}
