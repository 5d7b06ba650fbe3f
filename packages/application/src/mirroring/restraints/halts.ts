import {
  type Bot,
  type BotId,
  type Halt,
  type HaltScope,
  type HaltTarget,
  type HaltedBot,
  Refusal,
  type UserId,
  haltTargetsOf,
  haltText,
  id,
} from '@slipstream/domain';
import type { Ports, ReadStores, Stores, UnitOfWork } from '@slipstream/ports';
import { ownUser } from '../../accounts/users.js';
import type { Caller } from '../../caller.js';
import type { Core } from '../../core.js';
import { type PageRequest, itemsAfter, pageOf } from '../../page.js';
import { ownBot } from '../bot-deps.js';

type Reads = Pick<ReadStores, 'halts'>;
type HaltDeps = Pick<Core, 'unitOfWork' | 'ids' | 'clock' | 'brokers'>;

/** The standing halts with any of these subjects. */
async function haltsOn({ halts }: Reads, targets: readonly HaltTarget[]): Promise<Halt[]> {
  const found: Halt[] = [];
  for (const target of targets) found.push(...(await halts.on(target)));
  return found;
}

/** The halts that hit the bot. */
export const haltsOf = (stores: Reads, bot: HaltedBot): Promise<Halt[]> =>
  haltsOn(stores, haltTargetsOf(bot));

/** Refuses what a halt forbids. */
export async function requireTrading(stores: Reads, bot: HaltedBot): Promise<void> {
  const halts = await haltsOf(stores, bot);
  if (halts.length > 0)
    throw new Refusal('trading_halted', halts.map((halt) => haltText(halt)).join(' '));
}

/** Removes the halts of a subject that is deleted. */
export async function removeHalts(
  stores: Pick<Stores, 'halts'>,
  target: HaltTarget,
): Promise<void> {
  for (const { id: haltId } of await stores.halts.on(target)) await stores.halts.remove(haltId);
}

/** What a caller asks to halt. */
export interface HaltRequest {
  readonly scope: HaltScope;
  readonly target?: string | undefined;
}

const invalid = (message: string): Refusal => new Refusal('invalid_field', message);

/** What the operator may halt: anything that exists. */
async function targetOfOperator(
  { brokers }: Pick<Core, 'brokers'>,
  stores: Pick<ReadStores, 'bots' | 'users'>,
  { scope, target }: HaltRequest,
): Promise<HaltTarget> {
  if (scope === 'all') {
    if (target !== undefined) throw invalid('id must be absent with scope all');
    return { scope, target: null };
  }
  if (target === undefined) throw invalid(`id is missing: the ${scope} to halt`);
  const found = {
    broker: async () => brokers.has(target),
    user: async () => (await stores.users.find(id<'user'>(target)))?.deletedAt === null,
    bot: async () => (await stores.bots.find(id<'bot'>(target))) !== undefined,
  };
  if (await found[scope]()) return { scope, target };
  throw new Refusal('not_found', `${scope} ${target} does not exist`);
}

/** What a user may halt: all own bots, or one of them. */
async function targetOfUser(
  stores: Pick<ReadStores, 'bots' | 'users'>,
  userId: UserId,
  { scope, target }: HaltRequest,
): Promise<HaltTarget> {
  await ownUser(stores, userId);
  if (scope === 'user' && (target === undefined || target === userId))
    return { scope, target: userId };
  if (scope === 'bot') {
    if (target === undefined) throw invalid('id is missing: the bot to halt');
    const bot = await ownBot(stores, userId, target);
    return { scope, target: bot.id };
  }
  throw new Refusal('not_owner', 'a user halts only own bots: scope user without id, or bot');
}

const callerOf = (caller: Caller): Halt['by'] => {
  if (caller.kind === 'anonymous') throw new Refusal('unauthenticated', 'a token is needed');
  return caller.kind === 'user' ? caller.userId : 'operator';
};

/**
 * Stops the sending of orders by the bots that it hits (contract 10). Who halts the same once more gets the halt that stands,
 * so that repeating a halt in a hurry needs one resumption.
 */
export const haltTrading =
  (core: HaltDeps) =>
  async (caller: Caller, command: HaltRequest & { readonly reason: string }): Promise<Halt> => {
    const { unitOfWork, ids, clock } = core;
    const by = callerOf(caller);
    return unitOfWork.run(async (stores) => {
      const target =
        by === 'operator'
          ? await targetOfOperator(core, stores, command)
          : await targetOfUser(stores, by, command);
      const standing = (await stores.halts.on(target)).find((halt) => halt.by === by);
      const { reason } = command;
      const now = clock.now();
      const halt = standing ?? { ...target, id: ids.next(), reason, by, createdAt: now };
      if (!standing) {
        await stores.halts.save(halt);
        await stores.events.add({ kind: 'halt_changed', halt, at: now });
      }
      stores.answerWith(halt);
      return halt;
    });
  };

/** Lifts a halt: only who set it may, so that nobody trades against the word of another. Trading needs no halt left. */
export const resumeTrading =
  ({ unitOfWork, clock }: HaltDeps) =>
  async (caller: Caller, command: { readonly haltId: string }): Promise<void> => {
    const by = callerOf(caller);
    await unitOfWork.run(async (stores) => {
      const halt = await stores.halts.find(id<'halt'>(command.haltId));
      const isSeen =
        halt && (by === 'operator' || halt.by === by || (await isAbout(stores, halt, by)));
      if (!halt || !isSeen)
        throw new Refusal('not_found', `halt ${command.haltId} does not exist`, !!halt);
      if (halt.by !== by)
        throw new Refusal(
          'not_owner',
          `only ${halt.by === 'operator' ? 'the operator' : 'the user who set it'} can lift this halt`,
        );
      await stores.halts.remove(halt.id);
      await stores.events.add({ kind: 'halt_changed', halt, at: clock.now() });
      stores.answerWith(undefined);
    });
  };

/** The halts that hit a user, or will hit the next bot. */
async function haltsAbout(
  stores: Pick<ReadStores, 'halts' | 'bots'>,
  userId: UserId,
): Promise<Halt[]> {
  const bots = await stores.bots.listOf(userId);
  const brokers = new Set(bots.map(({ broker }) => broker));
  return haltsOn(stores, [
    { scope: 'all', target: null },
    { scope: 'user', target: userId },
    ...[...brokers].map((target) => ({ scope: 'broker', target }) as const),
    ...bots.map((bot) => ({ scope: 'bot', target: bot.id }) as const),
  ]);
}

const isAbout = async (
  stores: Pick<ReadStores, 'halts' | 'bots'>,
  halt: Halt,
  userId: UserId,
): Promise<boolean> =>
  (await haltsAbout(stores, userId)).some(({ id: haltId }) => haltId === halt.id);

const newestFirst = (first: Halt, second: Halt): number =>
  second.createdAt - first.createdAt || (first.id < second.id ? 1 : -1);

/** The operator's view: every halt. A user's view: those that hit the user's bots. Newest first. */
export const getTradingHalts =
  ({ unitOfWork }: HaltDeps) =>
  (caller: Caller, command: PageRequest): Promise<Halt[]> => {
    const by = callerOf(caller);
    const page = pageOf(command);
    return unitOfWork.read(async (stores) => {
      if (by === 'operator') return stores.halts.list(page);
      const about = (await haltsAbout(stores, by)).toSorted(newestFirst);
      return itemsAfter(about, page.cursor).slice(0, page.limit);
    });
  };

/** The halts as the server's own pages show them: how many, and those of all trading or of a broker. */
export interface StandingHalts {
  readonly counts: Readonly<Record<HaltScope, number>>;
  readonly shared: readonly Halt[];
}

export const standingHalts =
  ({ unitOfWork, brokers }: { unitOfWork: Pick<UnitOfWork, 'read'> } & Pick<Ports, 'brokers'>) =>
  (): Promise<StandingHalts> =>
    unitOfWork.read(async (stores) => ({
      counts: await stores.halts.count(),
      shared: await haltsOn(stores, [
        { scope: 'all', target: null },
        ...[...brokers.keys()].map((target) => ({ scope: 'broker', target }) as const),
      ]),
    }));

const AT_ONCE = 25;

/** All bots that are not off, a few at a time. */
async function* everyBot({ unitOfWork }: Pick<Core, 'unitOfWork'>): AsyncGenerator<Bot[]> {
  let after: BotId | null = null;
  do {
    const from: BotId | null = after;
    const bots: Bot[] = await unitOfWork.read((stores) => stores.bots.notOff(from, AT_ONCE));
    yield bots;
    after = bots.length < AT_ONCE ? null : (bots.at(-1)?.id ?? null);
  } while (after !== null);
}

/** The bots with this subject that are not off, a few at a time, so that other work runs in between. */
export async function* botsHitBy(
  core: Pick<Core, 'unitOfWork'>,
  { scope, target }: HaltTarget,
): AsyncGenerator<Bot[]> {
  const isNotOff = ({ status }: Bot): boolean => status !== 'off';
  if (scope === 'user' || scope === 'bot') {
    yield await core.unitOfWork.read(async ({ bots }) =>
      scope === 'user'
        ? (await bots.listOf(id(target ?? ''))).filter(isNotOff)
        : [await bots.find(id(target ?? ''))].filter((bot) => bot !== undefined).filter(isNotOff),
    );
    return;
  }
  for await (const bots of everyBot(core))
    yield scope === 'all' ? bots : bots.filter(({ broker }) => broker === target);
}
