import type { Caller } from '@slipstream/application';
import { Refusal, id } from '@slipstream/domain';
import { CHANNELS, type Channel, admits, covers, operations, otherEvents } from '@slipstream/wire';
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

/** Whether the caller's token covers this event too: some have a read of their own. */
export function mayHear(caller: Caller, { kind }: Channel, event: string): boolean {
  const other = otherEvents(kind)[event];
  return other === undefined || admits(operations[other.read], caller);
}

/** Refuses a caller who may not see what the channel shows. */
export async function requireSight(
  application: StreamedApplication,
  caller: Caller,
  channel: Channel,
): Promise<void> {
  const { operations: read } = application;
  const { kind, id: named } = channel;
  switch (kind) {
    case 'wsStrategyValue': {
      const [value] = await read.getStrategyValues(caller, { strategyIds: [named] });
      if (!value) throw noSuch('strategy', named);
      break;
    }
    case 'wsPositions':
    case 'wsOrders':
      await application.streams.requireFollower(caller, named);
      break;
    case 'wsBot': {
      const [bot] = await read.getBots(caller, { botIds: [id<'bot'>(named)] });
      if (!bot) throw noSuch('bot', named);
      break;
    }
    case 'wsAlerts':
      await read.getAlerts(caller, { strategyId: named, limit: 1 });
      break;
    case 'wsNotifications':
    case 'wsUserAlerts':
      requireSelf(caller, named);
  }
}

/** One that the caller may not see is refused as one that does not exist. */
export const noSuch = (what: 'strategy' | 'bot', named: string): Refusal =>
  new Refusal('not_found', `${what} ${named} does not exist`, true);

function requireSelf(caller: Caller, userId: string): void {
  if (caller.kind !== 'user' || caller.userId !== userId)
    throw new Refusal('not_found', `user ${userId} does not exist or is not the caller`, true);
}
