import { decimalText } from '@slipstream/domain';
import { openOrders, worth } from '../world/places.js';
import { mayHearNow } from './rights.js';
import type { Client, ChannelView } from '../run/client.js';
import type { Run } from '../run/run.js';
import type { World } from '../world/world.js';
import { CUT_OFF_BEYOND } from './frames.js';
import type { AlertRow, BookRow, PositionRow } from '../world/rows.js';
import { beingSplit } from './stock-actions.js';

/** Every acknowledged effect is still there. */
export function checkAcknowledged({ world, memory }: Run): void {
  for (const missing of memory.acknowledged) {
    const what = missing();
    if (what !== undefined)
      world.violate('durable', `it was answered that ${what}, and it is gone`);
  }
}

function checkOrdersSeen(world: World, client: Client, named: string, seen: ChannelView): void {
  const stored = openOrders(world, named);
  const say = (text: string): void =>
    world.violate('frames', `${client.user} on wsOrders:${named} ${text}`);
  for (const order of stored) {
    const believed = seen.items.get(order.id);
    if (!believed) say(`does not know the open order ${order.id}`);
    else if (JSON.stringify(believed['order_dependencies']) !== order.depends_on) {
      say(`believes that ${order.id} waits for ${JSON.stringify(believed['order_dependencies'])}`);
    } else if (believed['amount'] !== order.amount || believed['price'] !== order.price) {
      say(`believes in other figures of ${order.id}`);
    }
  }
  if (seen.items.size > stored.length) say('believes that a closed order is open');
}

function checkPositionsSeen(world: World, client: Client, named: string, seen: ChannelView): void {
  const [book] = world.database.rows<BookRow>('SELECT * FROM books WHERE strategy_id = ?', named);
  const stored = world.database.rows<PositionRow>(
    'SELECT * FROM positions WHERE strategy_id = ?',
    named,
  );
  const say = (text: string): void =>
    world.violate('frames', `${client.user} on wsPositions:${named} ${text}`);
  if (book?.cash !== seen.cash) say(`believes in ${seen.cash} of cash, there is ${book?.cash}`);
  for (const { stock_id, amount } of stored) {
    const believed = seen.items.get(stock_id)?.['amount'];
    if (believed !== amount) say(`believes in ${String(believed)} ${stock_id}, there is ${amount}`);
  }
  if (seen.items.size > stored.length) say('believes in a position that is closed');
}

/** Every alert that the inbox has was streamed, with its present verdict. */
function checkAlertsSeen(world: World, client: Client, named: string, seen: ChannelView): void {
  const stored = world.database.rows<AlertRow>('SELECT * FROM alerts WHERE strategy_id = ?', named);
  for (const { id, verdict, reason } of stored) {
    const believed = seen.items.get(id);
    if (believed?.['verdict'] !== verdict || believed['reason'] !== reason)
      world.violate(
        'frames',
        `${client.user} believes that the alert ${id} is ${JSON.stringify(believed)}, it is ${verdict} (${reason})`,
      );
  }
}

/** Contract 6: a client with 1 MiB unsent is disconnected. */
function checkUnsent(world: World, { user, socket }: Client): void {
  if (socket.unsentBytes > CUT_OFF_BEYOND)
    world.violate('slow', `${user} is owed ${socket.unsentBytes} bytes and not cut off`);
}

/** A client's view, built from frames alone, equals the tables; without the right it gets nothing more. */
function checkClients(run: Run): void {
  const { world } = run;
  for (const client of run.process?.clients ?? []) {
    if (client.socket.readyState !== client.socket.OPEN) continue;
    if (client.socket.isStalled) {
      checkUnsent(world, client);
      continue;
    }
    for (const [channel, seen] of client.channels) {
      const [kind, named = ''] = channel.split(':');
      if (!mayHearNow(world, client, channel)) {
        world.violate('A2', `${client.user} still listens to ${channel} without a right to`);
      }
      if (kind === 'wsOrders') checkOrdersSeen(world, client, named, seen);
      if (kind === 'wsPositions') checkPositionsSeen(world, client, named, seen);
      if (kind === 'wsAlerts') checkAlertsSeen(world, client, named, seen);
    }
  }
}

/** L3: the core's value of a strategy equals the value from its rows and the known quotes. */
function checkValues(run: Run): void {
  const { world, process, memory } = run;
  const split = beingSplit(world);
  for (const { strategy_id } of world.database.rows<BookRow>('SELECT * FROM books')) {
    const expected = worth(world, strategy_id, (stockId) =>
      split.has(stockId) ? undefined : memory.knownQuotes.get(stockId),
    );
    const believed = process?.valueOf(strategy_id) ?? undefined;
    const [wanted, found] = [expected, believed].map((one) =>
      one ? decimalText(one) : 'unavailable',
    );
    if (wanted !== found) {
      world.violate('L3', `${strategy_id} is worth ${wanted}, the core says ${found}`);
    }
  }
}

/** The invariants between two steps, while nothing runs. */
export function checkIdle(run: Run): void {
  checkClients(run);
  checkValues(run);
}

/** At rest, every listener has the newest value. */
export function checkValuesSeen(run: Run): void {
  const { world } = run;
  for (const client of run.process?.clients ?? []) {
    if (client.socket.readyState !== client.socket.OPEN) continue;
    for (const [channel, { last }] of client.channels) {
      const [kind, strategyId = ''] = channel.split(':');
      if (kind !== 'wsStrategyValue') continue;
      const value = run.process?.valueOf(strategyId);
      const believed = (last as { strategy_value: string | null }).strategy_value;
      const wanted = value ? decimalText(value) : null;
      if (believed !== wanted)
        world.violate(
          'frames',
          `${client.user} believes ${strategyId} is worth ${believed}, not ${wanted}`,
        );
    }
  }
}
