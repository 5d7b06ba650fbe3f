import { type SourcedAction, clockTimes, decimal, id } from '@slipstream/domain';
import type { AnnouncedActions, Clock } from '@slipstream/ports';
import { hundredths } from '../perform/hundredths.js';
import type { AnnounceCommand } from '../story/story.js';
import type { Quote } from '@slipstream/domain';

/** The source that announces corporate actions; it outlives the core's process. */
export interface Announcements {
  readonly source: AnnouncedActions;
  /** Everything that was announced, oldest first. */
  readonly all: readonly SourcedAction[];
  /** Announces an action for the next 04:00 in New York. */
  announce(command: AnnounceCommand, quote: Quote): void;
}

/** The name of the kind, as in the announcements of a real source. */
const NAMES = {
  split: 'forward split',
  cash_dividend: 'cash dividend',
  worthless: 'worthless removal',
  other: 'cash merger',
} as const;

export function announcements(clock: Clock): Announcements {
  const all: SourcedAction[] = [];
  return {
    all,
    announce({ kind, percent }, { stockId, last }) {
      const isSplit = kind === 'split';
      all.push({
        sourceId: `announced-${all.length + 1}`,
        stockId: id(stockId),
        kind,
        newShares: isSplit ? decimal(String(1 + (percent % 3))) : null,
        oldShares: isSplit ? decimal(String(1 + (percent % 2))) : null,
        amount: kind === 'cash_dividend' ? last.times(hundredths(percent)).round(4) : null,
        name: NAMES[kind],
        dueAt: clockTimes('stock', '04:00', clock.now()).next,
      });
    },
    source: {
      source: 'story',
      between: async (stocks, from, to) => ({
        actions: all.filter(
          ({ stockId, dueAt }) =>
            from <= dueAt && dueAt < to && stocks.some((stock) => stock.id === stockId),
        ),
        unanswered: [],
      }),
    },
  };
}
