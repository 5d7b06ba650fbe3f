import { expect } from '@jest/globals';
import { type App, createApp } from './app.js';
import type { World } from './crashes.js';
import { Moments, withOutside } from './moments.js';

/** How a request ended: answered, or refused with this code. */
type Ended = string;

export interface Interleaving<Begun extends World, Became> {
  /** The world before the flow. */
  begin(): Promise<Begun>;
  flow(app: App, world: Begun): Promise<unknown>;
  /** What comes amid it. */
  other(app: App, world: Begun): Promise<unknown>;
  /** What became of both. */
  outcome(
    app: App,
    world: Begun,
    ended: { readonly flow: Ended; readonly other: Ended },
  ): Promise<Became>;
}

/** Nothing happens between the answer to one call and the next call. */
const BEFORE = ['before'] as const;

const endOf = (request: Promise<unknown>): Promise<Ended> =>
  request.then(
    () => 'answered',
    (error: unknown) => {
      const { code } = error as { readonly code?: string };
      if (code === undefined) throw error;
      return code;
    },
  );

/** Resolves with the request, or before it if the request waits for what it came amid. */
async function unlessItWaits(request: Promise<unknown>): Promise<void> {
  let isOver = false;
  const over = () => void (isOver = true);
  void request.then(over, over);
  for (let turns = 0; turns < 50 && !isOver; turns += 1)
    await new Promise((resolve) => setImmediate(resolve));
}

/**
 * Plays the flow once for each of its moments, at which the whole of another request comes: before each transaction, each read and
 * each call of somebody outside; and at last whole, with that request after it. Returns the different outcomes with their moments.
 */
export async function outcomesAmid<Begun extends World, Became>({
  begin,
  flow,
  other,
  outcome,
}: Interleaving<Begun, Became>): Promise<
  readonly { readonly became: Became; readonly moments: readonly number[] }[]
> {
  const outcomes = new Map<string, { became: Became; moments: number[] }>();
  for (let moment = 1; ; moment += 1) {
    const moments = new Moments(moment);
    const world = await begin();
    await world.app.stop();
    const { unitOfWork } = world.ports;
    const app = createApp({
      ...withOutside(world.ports, (port) => moments.watched(port, BEFORE)),
      unitOfWork: moments.watched(unitOfWork, BEFORE),
    });
    await app.start();
    let ended: Promise<Ended> | undefined;
    const comes = (): Promise<void> => unlessItWaits((ended = endOf(other(app, world))));
    let flowEnded: Ended = '';
    await moments.amid(comes, async () => {
      flowEnded = await endOf(flow(app, world));
    });
    if (!moments.hasCome) await comes();
    const became = await outcome(app, world, { flow: flowEnded, other: (await ended) ?? '' });
    const key = JSON.stringify(became);
    const same = outcomes.get(key) ?? { became, moments: [] };
    same.moments.push(moment);
    outcomes.set(key, same);
    if (moments.hasCome) continue;
    expect(moment).toBeGreaterThan(1);
    return [...outcomes.values()];
  }
}
