import type { Client, Frame } from '../stream-client.js';
import { mayHear } from '../rights.js';
import type { World } from '../world.js';

const BAD_FIGURE = /"-0(\.0*)?"|"-?\d+(\.\d+)?[eE][+-]?\d+"|NaN|Infinity/;

/** Every frame that leaves, against its receiver's rights (A1, A2), figures (L5) and secrets (K1). */
export function checkFrame(world: World, client: Client, text: string): void {
  if (BAD_FIGURE.test(text)) world.violate('L5', `a frame holds ${BAD_FIGURE.exec(text)?.[0]}`);
  if (/digest of|test_api_|test_refresh_|hash of|sealed/.test(text)) {
    world.violate('K1', `a frame to ${client.user} holds a secret`);
  }
  const frame = JSON.parse(text) as Partial<Frame>;
  if (frame.channel === undefined || frame.event === 'ended') return;
  if (!mayHear(world, client, frame.channel)) {
    world.violate(
      'A1',
      `${client.user} hears ${frame.event} on ${frame.channel} without a right to`,
    );
  }
  const seen = client.channels.get(frame.channel);
  if (seen && frame.event !== 'snapshot' && (frame.version ?? 0) < seen.version) {
    world.violate('frames', `the version on ${frame.channel} fell to ${frame.version}`);
  }
}
