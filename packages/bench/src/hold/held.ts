import type { Whale } from './whale.js';

/** What the measured server is asked to have. */
export interface HeldOptions {
  readonly file: string;
  readonly strategies: number;
  readonly whales: number;
  readonly quick: boolean;
}

export interface HeldFacts {
  readonly port: number;
  readonly stocks: number;
  readonly whales: readonly (Whale & {
    readonly token: string;
    readonly botIds: readonly string[];
  })[];
}

/** What the server does by itself, when it is asked to. */
export const BEATS = ['tick', 'rankStrategies', 'runBilling', 'runBots'] as const;
export type Beat = (typeof BEATS)[number];
