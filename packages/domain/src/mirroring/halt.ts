import type { BotId, HaltId, Timestamp, UserId } from '../ids.js';

/** The bots that a halt hits: all, those of a broker, those of a user, or one (contract 10). */
export const HALT_SCOPES = ['all', 'broker', 'user', 'bot'] as const;
export type HaltScope = (typeof HALT_SCOPES)[number];

/** The subject of a halt. */
export interface HaltTarget {
  readonly scope: HaltScope;
  /** The name of the broker, or the id of the user or bot; null when all are hit. */
  readonly target: string | null;
}

/** While it stands, the bots that it hits send no order. Who set it lifts it: the operator, or that user. */
export interface Halt extends HaltTarget {
  readonly id: HaltId;
  readonly reason: string;
  readonly by: UserId | 'operator';
  readonly createdAt: Timestamp;
}

/** The parts of a bot that a halt can name. */
export interface HaltedBot {
  readonly id: BotId;
  readonly userId: UserId;
  readonly broker: string;
}

/** The subjects of the halts that hit a bot. */
export const haltTargetsOf = ({ id, userId, broker }: HaltedBot): readonly HaltTarget[] => [
  { scope: 'all', target: null },
  { scope: 'broker', target: broker },
  { scope: 'user', target: userId },
  { scope: 'bot', target: id },
];

/** Why the bot sends nothing, as text for its owner. */
export const haltText = ({ by, reason }: Halt): string =>
  `Trading is halted by ${by === 'operator' ? 'the operator' : 'you'}: ${reason.replace(/\.$/, '')}.`;
