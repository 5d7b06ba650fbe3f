import { applyEvent, newView } from '../run/apply-event.js';
import type { Client, ChannelView, Frame } from '../run/client.js';
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
    const seen = channels.get(frame.channel) ?? newView();
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
