import type { Caller } from '@slipstream/application';
import { id } from '@slipstream/domain';
import type { Pause } from '@slipstream/ports';
import {
  type Channel,
  presentAlert,
  presentBot,
  presentNotification,
  presentOrder,
  presentPositions,
  presentStrategyValue,
} from '@slipstream/wire';
import type { StreamedApplication } from '../streamed-application.js';
import { noSuch } from './rights.js';

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

/** `counted` tells the version of channels that count their own events. */
export async function readSnapshot(
  reader: Reader,
  { kind, id: named }: Channel,
  counted: () => number,
): Promise<Snapshot> {
  const { application, caller } = reader;
  const version = counted();
  switch (kind) {
    case 'wsStrategyValue': {
      const [value] = await application.operations.getStrategyValues(caller, {
        strategyIds: [named],
      });
      if (!value) throw noSuch('strategy', named);
      return { version, data: presentStrategyValue(value) };
    }
    case 'wsPositions': {
      const positions = await application.operations.getPositions(caller, { strategyId: named });
      return { version: positions.version, data: presentPositions(positions) };
    }
    case 'wsOrders':
      return readOrders(reader, named);
    case 'wsBot': {
      const [bot] = await application.operations.getBots(caller, { botIds: [id<'bot'>(named)] });
      if (!bot) throw noSuch('bot', named);
      return { version, data: presentBot(bot) };
    }
    case 'wsNotifications':
      return readAtRest(counted, async () => {
        const latest = await application.operations.getNotifications(caller, {});
        return latest.map(presentNotification);
      });
    case 'wsAlerts':
      return readAtRest(counted, () => readAlerts(reader, { strategyId: named }));
    case 'wsUserAlerts':
      return readAtRest(counted, () => readAlerts(reader, {}));
  }
}

const PAGE = 100;
const ATTEMPTS = 5;

/** A list at one moment: it is read again if its version changes meanwhile. */
async function readAtRest(
  versionNow: () => number | Promise<number>,
  read: () => Promise<unknown>,
): Promise<Snapshot> {
  let version = await versionNow();
  for (let attempt = 1; ; attempt++) {
    const data = await read();
    const after = await versionNow();
    // When it never rests, the earlier version makes events come twice rather than be missed.
    if (after === version || attempt === ATTEMPTS) return { version, data };
    version = after;
  }
}

/** All open orders. */
function readOrders(reader: Reader, strategyId: string): Promise<Snapshot> {
  const { application, caller } = reader;
  return readAtRest(
    async () => (await application.operations.getPositions(caller, { strategyId })).version,
    () => readAllPages(reader, strategyId),
  );
}

async function readAlerts(
  { application, caller }: Reader,
  of: { readonly strategyId?: string },
): Promise<unknown> {
  return (await application.operations.getAlerts(caller, of)).map(presentAlert);
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
