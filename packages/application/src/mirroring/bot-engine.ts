import { type Bot, type BotId, type StrategyId, type Timestamp, advance } from '@slipstream/domain';
import {
  BrokerRateLimited,
  BrokerRefused,
  BrokerUnreachable,
  type Event,
  type ReadStores,
  SecretUnreadable,
} from '@slipstream/ports';
import type { BotDeps } from './bot-deps.js';
import { CHECK_EVERY, afterFailure } from './bot-pace.js';
import { BotHalted, conclude, readBot } from './bot-step.js';
import { lookAtBot, stopsByItself, switchedOff } from './look-at-bot.js';

/** Looks one after another in one run: reduces, increases and the last comparison need four. */
const MOST_LOOKS = 8;
const MOST_BOTS_AT_ONCE = 16;
const DUE_AT_ONCE = 100;
const MOST_AT_START = 10_000;
const MIRRORS_AT_ONCE = 100;
const SHORTEST_WAIT = 1_000;

type AccessChanged = Event & { readonly kind: 'access_changed' };

export interface BotEngine {
  /** Brings one bot on as far as it goes now. Does nothing while the same bot is being looked at already. */
  runBot(botId: BotId): Promise<void>;
  /** Runs the bots that are due, different ones at the same time. Called by a tick; calls may overlap. */
  runDueBots(): Promise<void>;
  /** Makes the active bots that mirror the strategy due: it traded. */
  wakeBots(strategyId: StrategyId): Promise<void>;
  /** Stops the active bots that may no longer mirror the strategy; those of one user, where the change was theirs. */
  stopBots(changed: Pick<AccessChanged, 'strategyId' | 'userId'>): Promise<void>;
}

const isDue = (bot: Bot, now: Timestamp): boolean => bot.nextRunAt !== null && bot.nextRunAt <= now;

const isAtWork = ({ status }: Bot): boolean => status !== 'off' && status !== 'error';

/** Those of the bots that are active and not halted. */
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
 * Level-triggered: a restart just goes on. What the process before did not come to, a trade that nobody heard of, is seen
 * by the first look of each bot, which does not wait for its minute.
 */
export function createBotEngine(deps: BotDeps): BotEngine {
  const { unitOfWork, clock, events, log } = deps;
  const busy = new Set<BotId>();
  /** Those that have not been looked at since the start; undefined before the first run. */
  let unseen: BotId[] | undefined;

  /** Who backs off keeps its time: the broker is not asked more often because of a restart. */
  const atStart = async (now: Timestamp): Promise<BotId[]> => {
    const bots = await unitOfWork.read((stores) =>
      stores.bots.due(now + CHECK_EVERY, MOST_AT_START),
    );
    return bots.filter((bot) => bot.attempts === 0).map((bot) => bot.id);
  };

  /** The status while something hinders: orders that may be out keep it, else the bot waits. */
  const hindered = (bot: Bot, now: Timestamp, reason: string, outstanding: number): Bot =>
    afterFailure(outstanding > 0 ? bot : advance(bot, 'wait'), now, reason);

  const halt = (bot: Bot, reason: string) =>
    conclude(
      deps,
      bot,
      (current) => ({
        ...advance(current, 'halt'),
        nextRunAt: null,
        statusReason: reason,
        attempts: current.attempts + 1,
      }),
      { kind: 'error', text: reason },
    );

  /** A bot that is to stop anyway, and was halted before: what the broker will not tell cannot be waited for. */
  const giveUpAccess = (bot: Bot, reason: string) =>
    conclude(
      deps,
      bot,
      async (current, { botOrders }) => {
        const left = await botOrders.outstanding(bot.id);
        const orders = left.map(({ id }) => id).join(', ');
        const unknown = orders && ` Not known to have ended: ${orders}.`;
        return switchedOff(current, `${reason}${unknown}`);
      },
      { kind: 'stop', text: 'Off without an answer of its broker.' },
    );

  async function handleFailure(bot: Bot, error: unknown): Promise<void> {
    const now = clock.now();
    const isRefused = error instanceof BrokerRefused;
    if (isRefused || error instanceof BotHalted || error instanceof SecretUnreadable) {
      const reason = isRefused ? `The broker refused access: ${error.message}.` : error.message;
      const gaveUp = bot.condition === 'closing' && !bot.closesPositions && bot.attempts > 0;
      await (gaveUp ? giveUpAccess(bot, reason) : halt(bot, reason));
    } else if (error instanceof BrokerRateLimited) {
      const nextRunAt = now + Math.max(SHORTEST_WAIT, error.retryAfter);
      await conclude(deps, bot, async (current, { botOrders }) => {
        const { length } = await botOrders.outstanding(bot.id);
        const reason = 'The broker asks to slow down.';
        return { ...hindered(current, now, reason, length), nextRunAt, attempts: current.attempts };
      });
    } else {
      const isKnown = error instanceof BrokerUnreachable;
      if (!isKnown) log.error({ botId: bot.id, error: String(error) }, 'a bot could not be run');
      const reason = `The broker cannot be reached${isKnown ? `: ${error.message}` : ''}.`;
      const told = { kind: 'warning', text: reason } as const;
      await conclude(
        deps,
        bot,
        async (current, { botOrders }) =>
          hindered(current, now, reason, (await botOrders.outstanding(bot.id)).length),
        bot.statusReason === reason ? undefined : told,
      );
    }
  }

  async function look(bot: Bot): Promise<void> {
    try {
      await lookAtBot(deps, bot);
    } catch (error) {
      // The look may have moved the bot on before it failed.
      const current = await readBot(deps, bot.id);
      if (current && isAtWork(current) && current.condition === bot.condition) {
        await handleFailure(current, error);
      }
    }
  }

  /** A bot that never comes to rest would cost fees for ever. */
  const rest = (bot: Bot) =>
    conclude(deps, bot, (current) => ({
      ...current,
      nextRunAt: clock.now() + CHECK_EVERY,
      statusReason: 'The account does not come into line; the bot looks again in a minute.',
    }));

  async function runBot(botId: BotId): Promise<void> {
    if (busy.has(botId)) return;
    busy.add(botId);
    try {
      for (let looks = 0; ; looks += 1) {
        const bot = await readBot(deps, botId);
        if (!bot || !isAtWork(bot)) return;
        if (looks > 0 && !isDue(bot, clock.now())) return;
        if (looks === MOST_LOOKS) {
          await rest(bot);
          return;
        }
        await look(bot);
      }
    } finally {
      busy.delete(botId);
    }
  }

  /** Those of them that are at work, some at a time: others get their turn in between. */
  async function* atWork(botIds: readonly BotId[]): AsyncGenerator<Bot[]> {
    for (let at = 0; at < botIds.length; at += MIRRORS_AT_ONCE) {
      const some = botIds.slice(at, at + MIRRORS_AT_ONCE);
      yield await unitOfWork.read(({ bots }) => findAtWork(bots, some));
    }
  }

  async function wake(sleeping: readonly Bot[]): Promise<void> {
    if (sleeping.length === 0) return;
    const now = clock.now();
    const woken = await unitOfWork.run(async ({ bots }) => {
      const changed: Bot[] = [];
      const ids = sleeping.map((bot) => bot.id);
      for (const bot of await findAtWork(bots, ids)) {
        // One that backs off keeps its time: the broker is not asked more often because a strategy trades.
        const nextRunAt = bot.attempts > 0 && bot.nextRunAt !== null ? bot.nextRunAt : now;
        const next: Bot = { ...bot, awaitsTradeSince: null, nextRunAt, updatedAt: now };
        await bots.save(next);
        changed.push(next);
      }
      return changed;
    });
    for (const bot of woken) events.publish({ kind: 'bot_changed', bot, at: now });
  }

  return {
    runBot,

    async runDueBots() {
      const now = clock.now();
      unseen ??= await atStart(now);
      const due = await unitOfWork.read(({ bots }) => bots.due(now, DUE_AT_ONCE + busy.size));
      const all = new Set([...due.map(({ id }) => id), ...unseen.splice(0, DUE_AT_ONCE)]);
      const waiting = [...all].filter((botId) => !busy.has(botId));
      const worker = async (): Promise<void> => {
        for (let botId = waiting.shift(); botId; botId = waiting.shift()) {
          try {
            await runBot(botId);
          } catch (error) {
            log.error({ botId, error: String(error) }, 'a bot could not be run');
          }
        }
      };
      const free = Math.max(0, MOST_BOTS_AT_ONCE - busy.size);
      await Promise.all(Array.from({ length: Math.min(free, waiting.length) }, worker));
    },

    async wakeBots(strategyId) {
      const botIds = await unitOfWork.read(({ bots }) => bots.mirroring(strategyId));
      if (botIds.length > 0) for await (const some of atWork(botIds)) await wake(some);
    },

    async stopBots({ strategyId, userId }) {
      if (strategyId === null) return;
      const botIds = await unitOfWork.read(({ bots }) => bots.mirroring(strategyId));
      for await (const some of atWork(botIds)) {
        for (const bot of some)
          if (userId === null || bot.userId === userId) await stopsByItself(deps, bot);
      }
    },
  };
}
