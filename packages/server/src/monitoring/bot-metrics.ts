import type { Bot, BotId } from '@slipstream/domain';
import type { Event, UnitOfWork } from '@slipstream/ports';
import { Counter, Gauge, type Registry } from 'prom-client';

/** Half the sum of differences of weights, above which a bot counts as away from its target. */
const AWAY = 0.05;
/** Bots read in one transaction. */
const AT_ONCE = 500;

interface Seen {
  readonly broker: string;
  /** Null until its account was compared. */
  readonly drift: number | null;
  readonly isBreached: boolean;
}

const seen = ({ broker, drift, breach }: Bot): Seen => ({
  broker,
  drift: drift === null ? null : Number(drift.toFixed()),
  isBreached: breach !== null,
});

/** Metrics of bots that are not off: their drift, and the limits of losses that they passed. */
export function botMetrics(registry: Registry) {
  const bots = new Map<BotId, Seen>();
  const breaches = new Counter({
    name: 'slipstream_bot_breaches_total',
    help: 'Limits of losses that bots passed since the start',
    registers: [registry],
  });
  const byBroker = (
    name: string,
    help: string,
    figure: (drifts: readonly number[]) => number,
  ): void => {
    new Gauge({
      name: `slipstream_${name}`,
      help,
      labelNames: ['broker'],
      registers: [registry],
      collect() {
        this.reset();
        const drifts = new Map<string, number[]>();
        for (const { broker, drift } of bots.values()) {
          if (drift === null) continue;
          const others = drifts.get(broker);
          if (others) others.push(drift);
          else drifts.set(broker, [drift]);
        }
        for (const [broker, all] of drifts) this.set({ broker }, figure(all));
      },
    });
  };
  byBroker('bot_drift_max', 'The largest drift of a bot that is on, by broker', (drifts) =>
    drifts.reduce((most, drift) => Math.max(most, drift), 0),
  );
  byBroker(
    'bots_away',
    `Bots that are on and more than ${AWAY} of their account away from their target, by broker`,
    (drifts) => drifts.filter((drift) => drift > AWAY).length,
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
