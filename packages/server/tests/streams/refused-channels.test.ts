import { afterEach, describe, expect, it } from '@jest/globals';
import { type ChannelName, type Streams, createClient } from '@slipstream/client';
import { StorageUnavailable } from '@slipstream/ports';
import { type ComposedServer, composedServer } from '../helpers/composed-server.js';
import { faultyStorage } from '../helpers/faulty-storage.js';

/** The watch over a silent connection waits longer than any pause between two requests. */
const LONGEST_PAUSE = 60_000;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function world(options: Parameters<typeof composedServer>[0] = {}) {
  const server = await composedServer(options);
  closing.push(() => server.close());
  const token = await server.user('ada');
  return { server, token };
}

/** The events of each channel, for a client whose pauses let the server's time go by. */
function follow(
  { url, clock }: ComposedServer,
  token: string,
  channels: readonly ChannelName[],
  paused: (milliseconds: number) => void = () => undefined,
): { readonly told: ReadonlyMap<string, string[]>; readonly streams: Streams } {
  const timers = {
    wait: (milliseconds: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        if (milliseconds > LONGEST_PAUSE) return signal?.addEventListener('abort', () => resolve());
        paused(milliseconds);
        clock.advance(milliseconds);
        setTimeout(resolve, 5);
      }),
  };
  const streams = createClient({ url, token, timers }).streams();
  closing.push(() => streams.close());
  const told = new Map<string, string[]>();
  for (const channel of channels) {
    const events: string[] = [];
    told.set(channel, events);
    streams.subscribe(channel, ({ event }) => void events.push(event));
  }
  return { told, streams };
}

/** Resolves once every channel was told something. */
async function allTold(told: ReadonlyMap<string, readonly string[]>): Promise<void> {
  while ([...told.values()].some((events) => events.length === 0))
    await new Promise((resolve) => setTimeout(resolve, 5));
}

async function channelsOf(server: ComposedServer, token: string, count: number) {
  const channels: ChannelName[] = [];
  for (let n = 0; channels.length < count; n += 1) {
    const { strategy_id } = await server.ask(
      'newStrategy',
      { type: 'stock', name: `Of many ${n}` },
      token,
    );
    channels.push(`wsOrders:${strategy_id}`, `wsPositions:${strategy_id}`);
  }
  return channels.slice(0, count);
}

describe('the channels of a client', () => {
  it.each([1, 2, 50, 100])(
    'go on, the most that a connection may have, when %i of them are refused',
    async (refused) => {
      const { server, token } = await world();
      const kept = await channelsOf(server, token, 100 - refused);
      const lost = Array.from({ length: refused }, (_, n) => `wsOrders:lost${n}` as const);
      // Among the others, as after access was lost while the connection was.
      const channels = [...kept.slice(0, 40), ...lost, ...kept.slice(40)];
      const { told } = follow(server, token, channels);
      await allTold(told);
      for (const channel of kept)
        expect([channel, told.get(channel)]).toEqual([channel, ['snapshot']]);
      for (const channel of lost)
        expect([channel, told.get(channel)]).toEqual([channel, ['ended']]);
    },
  );

  it('beyond the limit of reads are requested again when the service said', async () => {
    const { server, token } = await world({
      environment: { RATE_LIMITS: 'reads=15,writes=1000000,alerts=1000000,failures=1000000' },
    });
    const channels = await channelsOf(server, token, 10);
    await allTold(follow(server, token, channels).told);
    const pauses: number[] = [];
    const { told } = follow(server, token, channels, (pause) => pauses.push(pause));
    const events = (): string[] => [...told.values()].flat();
    while (!pauses.some((pause) => pause > 1_000) && !events().includes('ended'))
      await new Promise((resolve) => setTimeout(resolve, 5));
    expect(events()).not.toContain('ended');
  });

  it('that the storage could not tell are requested again until it can', async () => {
    const { state, through } = faultyStorage();
    const { server, token } = await world({ through });
    const channels = await channelsOf(server, token, 4);
    const { told, streams } = follow(server, token, channels.slice(0, 1));
    await allTold(told);
    state.fault = new StorageUnavailable('full');
    const later: string[] = [];
    streams.subscribe(channels[2] as `wsOrders:${string}`, ({ event }) => void later.push(event));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(later).toEqual([]);
    state.fault = undefined;
    await allTold(new Map([['later', later]]));
    expect(later).toEqual(['snapshot']);
  });
});
