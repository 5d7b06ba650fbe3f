import type { BrokerAccount } from './bot-account.js';
import type { Bot, BotMode, BotOrder } from './bot.js';
import { type Halt, haltText } from './halt.js';
import { breachText } from './limits/loss-watch.js';
import { mayTake } from './stock-lists.js';

/** What keeps a bot from sending orders, beside its broker (contract 10). */
export interface Restraint {
  readonly allows: BrokerAccount['allows'];
  /** Why, as sentences for users; null when everything is allowed. */
  readonly because: string | null;
}

/** A bot that nothing restrains. */
export const UNRESTRAINED: Restraint = { allows: 'all', because: null };

const STRICTNESS = { all: 0, closing: 1, nothing: 2 } as const satisfies Record<
  Restraint['allows'],
  number
>;

const isStricter = (first: Pick<Restraint, 'allows'>, second: Pick<Restraint, 'allows'>): boolean =>
  STRICTNESS[first.allows] > STRICTNESS[second.allows];

/** The strictest of them; the first one of several that are as strict. */
export const strictest = (...restraints: readonly Restraint[]): Restraint =>
  restraints.reduce((found, next) => (isStricter(next, found) ? next : found), UNRESTRAINED);

/** The halts that hit a bot as its restraint: each of them is told. */
export const haltsRestraint = (halts: readonly Halt[]): Restraint =>
  halts.length === 0 ? UNRESTRAINED : { allows: 'nothing', because: halts.map(haltText).join(' ') };

/** The restraint of each mode. */
export const MODE_RESTRAINTS = {
  normal: UNRESTRAINED,
  reduce_only: { allows: 'closing', because: 'The bot only reduces, by its mode reduce_only.' },
  paused: { allows: 'nothing', because: 'The bot is paused.' },
} as const satisfies Record<BotMode, Restraint>;

/** Whether a bot may send this order, or leave it open. */
export const allowsOrder = (
  { allows }: Restraint,
  bot: Pick<Bot, 'allowStocks' | 'denyStocks'>,
  { closes, stockId }: Pick<BotOrder, 'closes' | 'stockId'>,
): boolean => (closes ? allows !== 'nothing' : allows === 'all' && mayTake(bot, stockId));

/** The account as a restrained bot may trade it. */
export const restrainedAccount = (account: BrokerAccount, restraint: Restraint): BrokerAccount =>
  isStricter(restraint, account) ? { ...account, allows: restraint.allows } : account;

/** A breach as the bot's restraint: only reductions while it reduces or closes, nothing at all with `hold`. */
export const breachRestraint = ({
  breach,
  onBreach,
}: Pick<Bot, 'breach' | 'onBreach'>): Restraint =>
  breach === null
    ? UNRESTRAINED
    : { allows: onBreach === 'hold' ? 'nothing' : 'closing', because: breachText(breach) };
