import type { Transcript } from '../transcripts/transcripts.js';
import type { Ending } from './changing-server.js';

interface Exception {
  readonly asked: RegExp;
  /** What is said of it, and where. */
  readonly because: string;
  /** After which endings; after all where it is left out. */
  readonly after?: readonly Ending[];
  /** Whether it is over when time has gone by. */
  readonly passes?: boolean;
}

/** What readers may see of a server that ended, and of the one that followed it. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    asked: /getDeliveries 0 endpoint_id later$/,
    because: 'a rest that a receiver asked for ends with the process (docs/endpoints.md)',
  },
  {
    asked: /getOrders/,
    because: 'a quote from before a restart never trades (docs/behaviour.md, Quotes)',
    passes: true,
  },
  {
    asked: /after odd quotes/,
    because:
      'after a crash or a restore values are at the stored quotes until the next (docs/behaviour.md, Quotes)',
    after: ['crash', 'restore'],
    passes: true,
  },
  {
    asked: /getStrategyValues .*Shut/,
    because: 'a restart may lose up to a minute of the count below zero (docs/behaviour.md)',
    passes: true,
  },
  {
    asked: /get(Recommended)?Strategies|findStrategies/,
    because:
      'ranks are computed at each start, not a minute after the last time (docs/architecture.md)',
    passes: true,
  },
  {
    asked: /getAlerts|getUserExport/,
    because: 'what is beyond a cap goes with the next alert (docs/behaviour.md, Caps and storage)',
    passes: true,
  },
  {
    asked: /verifyToken|getTokens|getUserExport/,
    because: 'a stop stores the last use of tokens before its minute is over (docs/behaviour.md)',
    after: ['stop', 'restore', 'move'],
    passes: true,
  },
  {
    asked: /verifyToken|getTokens|getUserExport/,
    because: 'after a crash the last use of a token may be a minute too old (docs/behaviour.md)',
    after: ['crash', 'restore'],
  },
  {
    asked: /getBotOrders|getReport 0 bot_id/,
    because:
      'orders of one moment are listed by their ids, and those of a bot are made of its cycles, which a restore counts on (docs/restoring.md)',
    after: ['restore'],
  },
];

/** The version of each book, and the cycle of each bot, is a million higher than in the copy (docs/restoring.md). */
const A_RESTORE = 1_000_000;

/** What was told, as it would be if nothing had been restored. */
export const asBefore = (told: Transcript): Transcript =>
  new Map(
    [...told].map(([asked, text]) => [
      asked,
      text
        .replaceAll(
          /((?:version|cycle)\\*":)(\d+)/g,
          (_, name: string, count: string) => `${name}${Number(count) % A_RESTORE}`,
        )
        .replaceAll(/\["content-length","\d+"\]/g, ''),
    ]),
  );

/** Whether the difference, which begins with what was asked, is such a one. */
export function isExcepted(difference: string, endings: readonly Ending[]): boolean {
  const asked = difference.split('\n')[0] ?? '';
  return EXCEPTIONS.some(
    (one) =>
      one.asked.test(asked) &&
      (one.after?.some((ending) => endings.includes(ending)) ?? true) &&
      (one.passes !== true || asked.startsWith('after')),
  );
}
