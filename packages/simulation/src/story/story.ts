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
  | 'late'
  | AnswerFault;
/** What only a broker that is reached over HTTP can do. */
export type AnswerFault = 'garbled' | 'truncated' | 'emptied' | 'hidden' | 'slow' | 'crossed';
export type PaymentFault = 'crash_before' | 'crash_after' | 'lost_request' | 'lost_answer';

/** A fault in the `at`-th statement, commit, broker call, order sent to a broker or gateway call of a step, from 0. */
export type Fault =
  | { readonly on: 'storage' | 'commit'; readonly at: number; readonly kind: StorageFault }
  | { readonly on: 'broker' | 'place'; readonly at: number; readonly kind: BrokerFault }
  | { readonly on: 'payment'; readonly at: number; readonly kind: PaymentFault };

/** Commands that are given at the same time, mostly one. */
export interface Step {
  readonly commands: readonly Command[];
  readonly faults: readonly Fault[];
  /** Which waiting task continues next, one number per choice. */
  readonly order: readonly number[];
}

/** Events before the first step, which bring stories to the point sooner. */
export const OPENINGS = [
  'bare',
  'waiting',
  'watched',
  'mirrored',
  'held',
  'eve',
  'sold',
  'ruined',
  'careful',
  'owned',
  'announced',
  'invested',
] as const;
export type Opening = (typeof OPENINGS)[number];

/** How the brokers of a story may differ from one that executes at once, trades any fraction and holds only cash. */
export const MANNERS = ['accepts_first', 'slow_cancel', 'fee_in_asset', 'lends_whole'] as const;
export type Manner = (typeof MANNERS)[number];

/** The simulated broker, or the adapter of Alpaca over its stand-in. */
export const BROKERS = ['simulated', 'alpaca'] as const;
export type BrokerName = (typeof BROKERS)[number];

/** Everything that determines a run: the same story gives the same run, byte for byte. */
export interface Story {
  readonly opening: Opening;
  /** Reads without ORDER BY answer backwards, so that no code relies on their order. */
  readonly reversed: boolean;
  /** Each commit is made while the next transaction is decided, as by the thread that writes. */
  readonly carries?: boolean | undefined;
  /** The brokers trade whole shares only, and cross zero in two orders. */
  readonly strictBroker: boolean;
  readonly steps: readonly Step[];
  readonly manners: readonly Manner[];
  /** The simulated one unless it is named. */
  readonly broker?: BrokerName | undefined;
}
