import type { Client, Frame, ChannelView } from '../run/client.js';
import {
  checkAdded,
  checkValued,
  checkClosing,
  checkFrame,
  checkVersion,
} from '../invariants/frames.js';
import { StandInSocket } from '../run/stand-in-socket.js';
import type { UserName } from '../story/story.js';
import type { Run } from '../run/run.js';

type Item = Readonly<Record<string, unknown>>;

const itemsOf = (kind: string, data: unknown): Item[] =>
  (kind === 'wsPositions' ? (data as { positions: unknown }).positions : data) as Item[];

/** Applies an event to the client's view of a channel (contract 6). */
export function applyEvent(seen: ChannelView, { channel, event, version, data }: Frame): void {
  const [kind = ''] = channel.split(':');
  seen.version = version;
  seen.last = data;
  if (kind === 'wsOrders') {
    if (event === 'snapshot') {
      seen.items.clear();
      for (const order of itemsOf(kind, data)) seen.items.set(order['order_id'] as string, order);
      return;
    }
    const order = data as Item;
    const orderId = order['order_id'] as string;
    if (order['order_status'] === 'open') seen.items.set(orderId, order);
    else seen.items.delete(orderId);
  } else if (kind === 'wsAlerts') {
    if (event === 'snapshot') seen.items.clear();
    for (const alert of event === 'snapshot' ? itemsOf(kind, data) : [data as Item])
      seen.items.set(alert['inbox_id'] as string, alert);
  } else if (kind === 'wsPositions') {
    if (event === 'valued') return;
    if (event === 'snapshot') seen.items.clear();
    seen.cash = (data as { cash: string }).cash;
    for (const position of itemsOf(kind, data)) {
      const stockId = position['stock_id'] as string;
      if (position['amount'] === '0') seen.items.delete(stockId);
      else seen.items.set(stockId, position);
    }
  }
}

export function newClient(
  run: Run,
  who: { readonly user: UserName; readonly userId: string; readonly tokenId: string },
): Client {
  const { world } = run;
  const channels = new Map<string, ChannelView>();
  const onReceive = (text: string): void => {
    const frame = JSON.parse(text) as Partial<Frame>;
    if (frame.channel === undefined || frame.event === undefined) return;
    world.note(`frame to ${who.user}: ${frame.channel} ${frame.event} ${frame.version}`);
    world.reach(`frame: ${frame.channel.split(':')[0]} ${frame.event}`);
    checkVersion(world, channels.get(frame.channel), frame as Frame);
    if (frame.event === 'ended') {
      channels.delete(frame.channel);
      return;
    }
    const seen = channels.get(frame.channel) ?? {
      version: -1,
      items: new Map(),
      cash: undefined,
      last: undefined,
    };
    channels.set(frame.channel, seen);
    checkAdded(world, seen, frame as Frame);
    checkValued(world, seen, frame as Frame);
    applyEvent(seen, frame as Frame);
  };
  const socket = new StandInSocket(
    {
      onSend: (text, owed) => checkFrame(run, client, text, owed),
      onReceive,
      onClose: (code, owed) => checkClosing(world, client, code, owed),
    },
    run.bug?.showsUnsent ?? true,
  );
  socket.on('close', () => channels.clear());
  let frames = 0;
  const client: Client = {
    ...who,
    socket,
    channels,
    send(frame) {
      frames += 1;
      socket.emit('message', Buffer.from(JSON.stringify({ id: String(frames), ...frame })), false);
    },
  };
  return client;
}
