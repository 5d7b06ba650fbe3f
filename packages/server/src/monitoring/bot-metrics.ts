import type { Bot, BotId, Security } from '@slipstream/domain';
import type { Event, UnitOfWork } from '@slipstream/ports';
import { Counter, Gauge, type Registry } from 'prom-client';

/** Half the sum of differences of weights, above which a bot counts as away from its target. */
const AWAY = 0.05;
/** Bots read in one transaction. */
const AT_ONCE = 500;

interface Seen {
  readonly broker: string;
  readonly type: Security;
  /** Null until its account was compared. */
  readonly drift: number | null;
  readonly isBreached: boolean;
  /** Its owner keeps it from its target, or its own limits do. */
  readonly isHeldBack: boolean;
}

const seen = ({ broker, type, drift, breach, dryRun, mode, awaitsTradeSince }: Bot): Seen => ({
  broker,
  type,
  drift: drift === null ? null : Number(drift.toFixed()),
  isBreached: breach !== null,
  isHeldBack: dryRun || mode !== 'normal' || breach !== null || awaitsTradeSince !== null,
});

type Compared = Seen & { readonly drift: number };
const wasCompared = (bot: Seen): bot is Compared => bot.drift !== null;

/**
 * Metrics of bots that are not off: their drift, and the limits of losses that they passed. `isOpen` tells whether the exchanges of a
 * type of instruments are in session now.
 */
export function botMetrics(registry: Registry, isOpen: (type: Security) => boolean) {
  const bots = new Map<BotId, Seen>();
  const breaches = new Counter({
    name: 'slipstream_bot_breaches_total',
    help: 'Limits of losses that bots passed since the start',
    registers: [registry],
  });
  const byBroker = (
    name: string,
    help: string,
    figure: (of: readonly Compared[]) => number,
  ): void => {
    new Gauge({
      name: `slipstream_${name}`,
      help,
      labelNames: ['broker'],
      registers: [registry],
      collect() {
        this.reset();
        const compared = new Map<string, Compared[]>();
        for (const bot of bots.values()) {
          if (!wasCompared(bot)) continue;
          const others = compared.get(bot.broker);
          if (others) others.push(bot);
          else compared.set(bot.broker, [bot]);
        }
        for (const [broker, all] of compared) this.set({ broker }, figure(all));
      },
    });
  };
  byBroker('bot_drift_max', 'The largest drift of a bot that is on, by broker', (all) =>
    all.reduce((most, { drift }) => Math.max(most, drift), 0),
  );
  byBroker(
    'bots_away',
    `Bots that are more than ${AWAY} of their account away from their target, could trade now, and are not held back by their owner, by broker`,
    (all) =>
      all.filter(({ drift, isHeldBack, type }) => drift > AWAY && !isHeldBack && isOpen(type))
        .length,
  );
  const take = (bot: Bot): void => {
    const [before, after] = [bots.get(bot.id), seen(bot)];
    if (before && !before.isBreached && after.isBreached) breaches.inc();
    if (bot.status === 'off') bots.delete(bot.id);
    else bots.set(bot.id, after);
  };
  return {
    /** Reads the bots that are on, when the server starts. */
    async start({ read }: Pick<UnitOfWork, 'read'>): Promise<void> {
      const page = (after: BotId | null): Promise<readonly Bot[]> =>
        read((stores) => stores.bots.notOff(after, AT_ONCE));
      for (let some = await page(null); some.length > 0; some = await page(some.at(-1)?.id ?? null))
        for (const bot of some) if (!bots.has(bot.id)) bots.set(bot.id, seen(bot));
    },
    event(event: Event): void {
      if (event.kind === 'bot_changed') take(event.bot);
      else if (event.kind === 'bot_deleted') bots.delete(event.botId);
    },
  };
}
