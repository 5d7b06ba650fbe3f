import type { Caller } from '@slipstream/application';
import { Refusal, id } from '@slipstream/domain';
import type { Pause } from '@slipstream/ports';
import {
  CHANNELS,
  type Channel,
  admits,
  covers,
  operations,
  presentBot,
  presentNotification,
  presentOrder,
  presentPositions,
  presentStrategyValue,
} from '@slipstream/wire';
import type { StreamedApplication } from '../streamed-application.js';

/** Refuses a caller whose token does not cover the channel's read (contract 5: streams need the scope of their read). */
export function requireScope(caller: Caller, { kind, id: named }: Channel): void {
  const { read, parameter, isOpen } = CHANNELS[kind];
  if (isOpen && caller.kind === 'anonymous') return;
  const strategies = parameter === 'strategy_id' ? [named] : [];
  const operation = operations[read];
  if (!admits(operation, caller) || !covers(operation, caller, strategies)) {
    throw new Refusal('unauthenticated', 'the token does not cover this channel');
  }
}

/** Refuses a caller who may not see what the channel shows. */
export async function requireSight(
  application: StreamedApplication,
  caller: Caller,
  channel: Channel,
): Promise<void> {
  const { kind, id: named } = channel;
  // Orders and positions are seen by the same users, and one order is less to read than a book.
  if (kind === 'wsOrders' || kind === 'wsPositions')
    await application.operations.getOrders(caller, {
      strategyId: named,
      orderStatus: 'open',
      limit: 1,
    });
  else if (kind === 'wsNotifications') requireSelf(caller, named);
  else await readSnapshot({ application, caller, turn: noTurn }, channel, 0);
}

function requireSelf(caller: Caller, userId: string): void {
  if (caller.kind !== 'user' || caller.userId !== userId)
    throw new Refusal('not_found', `user ${userId} does not exist or is not the caller`, true);
}

/** The snapshot that begins a channel: equal to the answer of the REST read (contract 6). */
export interface Snapshot {
  readonly version: number;
  readonly data: unknown;
}

/** Who reads, and what goes between two pages of a long list. */
interface Reader {
  readonly application: StreamedApplication;
  readonly caller: Caller;
  readonly turn: Pause;
}

/** Where nothing is read by pages. */
const noTurn: Pause = async () => undefined;

/** `counted` is the version of channels that count their own events. */
export async function readSnapshot(
  reader: Reader,
  { kind, id: named }: Channel,
  counted: number,
): Promise<Snapshot> {
  const { application, caller } = reader;
  switch (kind) {
    case 'wsStrategyValue': {
      const [value] = await application.operations.getStrategyValues(caller, {
        strategyIds: [named],
      });
      if (!value) throw new Refusal('not_found', `strategy ${named} does not exist`, true);
      return { version: counted, data: presentStrategyValue(value) };
    }
    case 'wsPositions': {
      const positions = await application.operations.getPositions(caller, { strategyId: named });
      return { version: positions.version, data: presentPositions(positions) };
    }
    case 'wsOrders':
      return readOrders(reader, named);
    case 'wsBot': {
      const [bot] = await application.operations.getBots(caller, { botIds: [id<'bot'>(named)] });
      if (!bot) throw new Refusal('not_found', `bot ${named} does not exist`, true);
      return { version: counted, data: presentBot(bot) };
    }
    case 'wsNotifications': {
      requireSelf(caller, named);
      const latest = await application.operations.getNotifications(caller, {});
      return { version: counted, data: latest.map(presentNotification) };
    }
  }
}

const PAGE = 100;
const ATTEMPTS = 5;

/** All open orders at one moment: read again if the book changes between the pages. */
async function readOrders(reader: Reader, strategyId: string): Promise<Snapshot> {
  const { application, caller } = reader;
  const versionNow = async () =>
    (await application.operations.getPositions(caller, { strategyId })).version;
  let version = await versionNow();
  for (let attempt = 1; ; attempt++) {
    const data = await readAllPages(reader, strategyId);
    const after = await versionNow();
    // When it never rests, the earlier version makes events come twice rather than be missed.
    if (after === version || attempt === ATTEMPTS) return { version, data };
    version = after;
  }
}

async function readAllPages({ application, caller, turn }: Reader, strategyId: string) {
  const orders = [];
  for (let cursor: string | undefined; ;) {
    const page = await application.operations.getOrders(caller, {
      strategyId,
      orderStatus: 'open',
      limit: PAGE,
      cursor,
    });
    orders.push(...page.map(presentOrder));
    if (page.length < PAGE) return orders;
    cursor = page.at(-1)?.order.id;
    await turn();
  }
}
