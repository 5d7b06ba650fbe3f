import type { Client, Frame, ChannelView } from '../run/client.js';
import { mayHear } from './rights.js';
import type { Run } from '../run/run.js';
import type { World } from '../world/world.js';

const BAD_FIGURE = /"-0(\.0*)?"|"-?\d+(\.\d+)?[eE][+-]?\d+"|NaN|Infinity/;

const KIB = 1024;
/** Beyond this number of unsent bytes a client gets only the newest values. */
const CONFLATED_BEYOND = 256 * KIB;
/** Beyond this number of unsent bytes a client is disconnected (contract 6). */
export const CUT_OFF_BEYOND = 1024 * KIB;
/** Events that wait for a snapshot count too, but are not visible here. */
const WAITING = 32 * KIB;
const TOO_SLOW = 1013;

const isValue = ({ channel }: Partial<Frame>): boolean =>
  channel?.startsWith('wsStrategyValue:') ?? false;

/** The code 1013 ends only clients that read too slowly, or whose rights cannot be read. */
export function checkClosing(world: World, client: Client, code: number, owed: number): void {
  world.reach(`closed: ${code}`);
  world.note(`${client.user} is cut off (${code})`);
  if (code === TOO_SLOW && owed + WAITING < CUT_OFF_BEYOND && world.faults.met() === 0)
    world.violate('slow', `${client.user} is owed ${owed} bytes and cut off`);
}

/** Checks every sent frame against its receiver's rights (A1, A2), figures (L5) and secrets (K1). */
export function checkFrame(run: Run, client: Client, text: string, owed: number): void {
  const { world } = run;
  if (client.socket.readyState !== client.socket.OPEN)
    world.violate('frames', `a frame is sent to ${client.user} after the end`);
  if (BAD_FIGURE.test(text)) world.violate('L5', `a frame holds ${BAD_FIGURE.exec(text)?.[0]}`);
  if (/digest of|test_api_|test_refresh_|hash of|sealed/.test(text)) {
    world.violate('K1', `a frame to ${client.user} holds a secret`);
  }
  const frame = JSON.parse(text) as Partial<Frame>;
  if (owed > CONFLATED_BEYOND && frame.event === 'changed' && isValue(frame))
    world.violate('slow', `values pile up for ${client.user}, who is owed ${owed} bytes`);
  if (frame.channel === undefined || frame.event === 'ended') return;
  if (!mayHear(run, client, frame.channel)) {
    world.violate(
      'A1',
      `${client.user} hears ${frame.event} on ${frame.channel} without a right to`,
    );
  }
}

/** An alert is added once, and changed only after that. */
export function checkAdded(world: World, seen: ChannelView, { channel, event, data }: Frame): void {
  if (!channel.startsWith('wsAlerts:') || event === 'snapshot') return;
  const { inbox_id } = data as { inbox_id: string };
  if (seen.items.has(inbox_id) === (event === 'added'))
    world.violate('frames', `${channel} ${event} ${inbox_id} at the wrong time`);
}

/** Values are of exactly the positions that the client knows. */
export function checkValued(world: World, seen: ChannelView, frame: Frame): void {
  if (frame.event !== 'valued') return;
  const { positions } = frame.data as { positions: readonly { stock_id: string }[] };
  const [valued, known] = [positions.map(({ stock_id }) => stock_id), [...seen.items.keys()]];
  if (valued.sort().join() !== known.sort().join())
    world.violate('frames', `${frame.channel} values ${valued.join()}, held are ${known.join()}`);
}

/** The version on a channel never falls for its client. */
export function checkVersion(world: World, seen: ChannelView | undefined, frame: Frame): void {
  if (seen && frame.event !== 'snapshot' && frame.version < seen.version) {
    world.violate('frames', `the version on ${frame.channel} fell to ${frame.version}`);
  }
}
