import type { Bot, BotId, Halt, StrategyId, Timestamp } from '@slipstream/domain';
import type { Event, LastCheck, ReadStores } from '@slipstream/ports';
import { chunksOf } from '../chunks-of.js';
import { Ended } from '../housekeeping/ended.js';
import { everyItem } from '../page.js';
import { type BotDeps, saveChanged } from './bot-deps.js';
import { handleFailure } from './bot-failure.js';
import { openedOnce } from './broker-access.js';
import { CHECK_EVERY, LONGEST_RETRY, wokenAt } from './bot-schedule.js';
import { checkLosses } from './limits/losses.js';
import { readBot, saveOutcome } from './bot-step.js';
import { botsHitBy } from './restraints/halts.js';
import { PLANS_AGAIN } from './restraints/overtaken.js';
import { reconcileBot, stopIfAccessEnded } from './reconcile-bot.js';
import { withdrawOrders } from './checks/withdraw-orders.js';

/** The most checks of one bot in one run: reduces, increases and the last comparison need four; orders that max_order cuts need more. */
const MOST_CHECKS = 8;
const NOT_YET = 'The account is not in line yet; the bot looks again in a minute.';
/** What the last check said, such as the limit that cuts its orders, holds meanwhile. */
const withNotYet = (said: string | null): string =>
  said?.endsWith(NOT_YET) ? said : [...(said === null ? [] : [said]), NOT_YET].join(' ');
/**
 * How many checks go on at once: accounts are independent, and a check mostly waits for its broker. Bots whose last check failed have places
 * of their own. So hundreds whose broker does not answer keep no other bot waiting, nor others them.
 */
const AT_ONCE = { well: 128, failed: 64 } as const satisfies Record<LastCheck, number>;
const LAST_CHECKS = ['well', 'failed'] as const satisfies readonly LastCheck[];
const MOST_AT_START = 10_000;
/** So many due bots are found at once: the checks go on until the next search, also when thousands are due. */
const MOST_FOUND = 1_000;
const MIRRORS_AT_ONCE = 25;

/** Bots that wait for a check, and how many checks of such bots go on. */
interface Queue {
  readonly waiting: Set<BotId>;
  workers: number;
}

type AccessChanged = Event & { readonly kind: 'access_changed' };

const isDue = (bot: Bot, now: Timestamp): boolean => bot.nextRunAt !== null && bot.nextRunAt <= now;

const isAtWork = ({ status }: Bot): boolean => status !== 'off' && status !== 'error';

/** The bots among these that are active and not halted. */
async function findAtWork(
  bots: Pick<ReadStores['bots'], 'find'>,
  botIds: readonly BotId[],
): Promise<Bot[]> {
  const found: Bot[] = [];
  for (const botId of botIds) {
    const bot = await bots.find(botId);
    if (bot?.condition === 'active' && isAtWork(bot)) found.push(bot);
  }
  return found;
}

/**
 * Reconciles bots with the strategies that they mirror. Level-triggered: a restart simply continues. The first check of each
 * bot does not wait for its minute, so it finds trades that the process before missed.
 */
export class BotReconciler {
  /** The bots that are being checked now. */
  private readonly busy = new Set<BotId>();
  /** The due bots that are checked next, and how many checks of due bots go on now. */
  private readonly queues = {
    well: { waiting: new Set<BotId>(), workers: 0 },
    failed: { waiting: new Set<BotId>(), workers: 0 },
  } satisfies Record<LastCheck, Queue>;
  /** The bots that were not checked since the start; undefined before the first run, and once the clock was set back. */
  private unseen: Promise<BotId[]> | undefined;
  private ranAt = -Infinity;

  private isEnding = false;

  constructor(private readonly deps: BotDeps) {}

  /** The process ends: no check begins any more, and those that go on are the last of their bots. */
  end(): void {
    this.isEnding = true;
  }

  /** Checks one bot until there is nothing more to do now. Does nothing while the same bot is being checked. */
  async runBot(botId: BotId): Promise<void> {
    if (this.busy.has(botId)) return;
    this.busy.add(botId);
    const deps = { ...this.deps, secretBox: openedOnce(this.deps.secretBox) };
    try {
      for (let checks = 0; ; checks += 1) {
        const bot = await readBot(this.deps, botId);
        if (!bot || bot.status === 'off') return;
        if (checks > 0 && (this.isEnding || !isDue(bot, this.deps.clock.now()))) return;
        if (bot.status === 'error') {
          await withdrawOrders(this.deps, bot);
          return;
        }
        if (checks === MOST_CHECKS) {
          await this.postpone(bot);
          return;
        }
        await this.reconcile(deps, bot, checks < PLANS_AGAIN);
      }
    } finally {
      this.busy.delete(botId);
    }
  }

  /** Runs the bots that are due, different ones at the same time. Called by a tick; calls may overlap. */
  async runDueBots(): Promise<void> {
    const now = this.deps.clock.now();
    if (now < this.ranAt - CHECK_EVERY) this.unseen = undefined;
    this.ranAt = now;
    this.unseen ??= this.begin(now);
    const unseen = await this.unseen;
    const breached = await checkLosses(this.deps);
    await this.makeDue(breached.filter(({ status }) => status === 'error'));
    const workers: Promise<void>[] = [];
    for (const lastCheck of LAST_CHECKS) {
      const { waiting } = this.queues[lastCheck];
      const places = AT_ONCE[lastCheck];
      if (waiting.size < places) {
        const due = await this.dueNow(now, lastCheck);
        const first = lastCheck === 'well' ? unseen.splice(0, places) : [];
        for (const botId of [...due, ...first]) if (!this.busy.has(botId)) waiting.add(botId);
      }
      await this.beginWorkers(lastCheck, workers);
    }
    await Promise.all(workers);
  }

  /** Makes the active bots that mirror the strategy due, after it traded. */
  async wakeBots(strategyId: StrategyId): Promise<void> {
    for await (const bots of this.mirroring(strategyId)) await this.wake(bots);
  }

  /** Stops the active bots that may no longer mirror the strategy; with `userId`, only that user's. */
  async stopBots({
    strategyId,
    userId,
  }: Pick<AccessChanged, 'strategyId' | 'userId'>): Promise<void> {
    if (strategyId === null) return;
    for await (const bots of this.mirroring(strategyId)) {
      for (const bot of bots)
        if (userId === null || bot.userId === userId) await stopIfAccessEnded(this.deps, bot);
    }
  }

  /**
   * Makes the bots that the halt hits due at once, after it was set or lifted; it overrides their backoff. It asks no broker itself:
   * one that does not answer would keep the others waiting.
   */
  async haltChanged(halt: Halt): Promise<void> {
    for await (const bots of botsHitBy(this.deps, halt)) await this.makeDue(bots);
  }

  /** The next bots to check; those that are being checked are due as well until their check ends. */
  private dueNow(now: Timestamp, lastCheck: LastCheck): Promise<readonly BotId[]> {
    const limit = MOST_FOUND + this.busy.size + this.queues[lastCheck].waiting.size;
    return this.deps.unitOfWork.read(({ bots }) => bots.due(now, limit, lastCheck));
  }

  /** Begins as many workers as there are places and waiting bots. */
  private async beginWorkers(lastCheck: LastCheck, workers: Promise<void>[]): Promise<void> {
    const queue = this.queues[lastCheck];
    while (queue.waiting.size > 0 && queue.workers < AT_ONCE[lastCheck] && !this.isEnding) {
      workers.push(this.runWaiting(queue));
      // One begins after the other, so that their answers do not come all at once either.
      await this.deps.pause();
    }
  }

  /** Takes waiting bots until there are none. */
  private async runWaiting(queue: Queue): Promise<void> {
    queue.workers += 1;
    for (const botId of queue.waiting) {
      if (this.isEnding) break;
      queue.waiting.delete(botId);
      try {
        await this.runBot(botId);
      } catch (error) {
        this.deps.log.error({ botId, error: String(error) }, 'could not run a bot');
      }
    }
    queue.workers -= 1;
  }

  /** Finds the bots that did not work since the process before. A failure is tried again by the next call. */
  private async begin(now: Timestamp): Promise<BotId[]> {
    try {
      // A bot that backs off keeps its schedule, so that a restart causes no extra calls of the broker.
      const unseen = await this.deps.unitOfWork.read(({ bots }) =>
        bots.due(now + CHECK_EVERY, MOST_AT_START, 'well'),
      );
      await this.watchAll(now);
      await this.repeatHalts();
      return [...unseen];
    } catch (error) {
      this.unseen = undefined;
      throw error;
    }
  }

  /**
   * Watches the losses of every bot from the start, also of those that back off or halted. Bots that were checked while the clock was
   * ahead are due: they would wait until it is there again.
   */
  private async watchAll(now: Timestamp): Promise<void> {
    for await (const bots of botsHitBy(this.deps, { scope: 'all', target: null })) {
      for (const bot of bots) this.deps.losses.put(bot);
      await this.makeDue(bots.filter(({ nextRunAt }) => (nextRunAt ?? now) > now + LONGEST_RETRY));
    }
  }

  /** Halts that the process before may not have passed on to every bot. */
  private async repeatHalts(): Promise<void> {
    const { unitOfWork } = this.deps;
    // Of one moment: a halt that goes meanwhile would hide those after it.
    const halts = await unitOfWork.read((stores) => everyItem((page) => stores.halts.list(page)));
    for (const halt of halts) await this.haltChanged(halt);
  }

  /** The working bots that mirror the strategy, a few at a time, so that other work runs in between. */
  private async *mirroring(strategyId: StrategyId): AsyncGenerator<Bot[]> {
    const { unitOfWork } = this.deps;
    const botIds = await unitOfWork.read(({ bots }) => bots.mirroring(strategyId));
    for (const some of chunksOf(botIds, MIRRORS_AT_ONCE))
      yield await unitOfWork.read(({ bots }) => findAtWork(bots, some));
  }

  private async wake(sleeping: readonly Bot[]): Promise<void> {
    if (sleeping.length === 0) return;
    const { unitOfWork, clock } = this.deps;
    const now = clock.now();
    await unitOfWork.run(async (stores) => {
      const ids = sleeping.map((bot) => bot.id);
      for (const bot of await findAtWork(stores.bots, ids)) {
        // A bot that backs off keeps its schedule, so that trades cause no extra calls of the broker.
        const nextRunAt = wokenAt(bot, bot.attempts > 0 ? (bot.nextRunAt ?? now) : now);
        await saveChanged(stores, { ...bot, awaitsTradeSince: null, nextRunAt, updatedAt: now });
      }
    });
  }

  /** A bot in `error` only withdraws its orders, so it is due while any is open. */
  private async makeDue(bots: readonly Bot[]): Promise<void> {
    const { unitOfWork, clock } = this.deps;
    const now = clock.now();
    if (bots.length > 0)
      await unitOfWork.run(async (stores) => {
        for (const { id } of bots) {
          const bot = await stores.bots.find(id);
          const isWorking =
            bot?.status === 'error' ? (await stores.botOrders.outstanding(id)).length > 0 : true;
          if (bot && bot.status !== 'off' && isWorking)
            await saveChanged(stores, { ...bot, nextRunAt: wokenAt(bot, now), updatedAt: now });
        }
      });
  }

  private async reconcile(deps: BotDeps, bot: Bot, plansAgain: boolean): Promise<void> {
    try {
      await reconcileBot(deps, bot, plansAgain);
    } catch (error) {
      // It stays due: the next process goes on.
      if (error instanceof Ended) return;
      // The check may have changed the bot before it failed.
      const current = await readBot(deps, bot.id);
      if (current && isAtWork(current) && current.condition === bot.condition) {
        await handleFailure(deps, current, error);
      }
    }
  }

  /** A bot that never converges would cost fees for ever. */
  private postpone(bot: Bot) {
    return saveOutcome(this.deps, bot, (current) => ({
      ...current,
      nextRunAt: this.deps.clock.now() + CHECK_EVERY,
      statusReason: withNotYet(current.statusReason),
    }));
  }
}
