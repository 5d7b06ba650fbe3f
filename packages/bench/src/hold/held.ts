import type { Whale } from './whale.js';

/** The data that the measured server must have. */
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

/** The background work of the server, which runs on request here. */
export const BEATS = [
  'tick',
  'rankStrategies',
  'measureOwnerTrades',
  'runBilling',
  'runBots',
] as const;
export type Beat = (typeof BEATS)[number];
