import { setImmediate as hostPause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { startBeats } from '../../src/beats.js';

type Background = Parameters<typeof startBeats>[0]['background'];

/** Beats when it is told; only billing can fail. */
function scene(changes: Partial<Background> = {}) {
  let error: Error | undefined;
  let failures = 0;
  const said: unknown[] = [];
  const beats: (() => void)[] = [];
  const nothing = async (): Promise<void> => undefined;
  const background = {
    ...{ tick: nothing, runBots: nothing, sendEvents: nothing, sendMails: nothing },
    saveQuotes: nothing,
    ...{ rankStrategies: nothing, measureOwnerTrades: nothing, makeAnchors: nothing },
    followMarket: nothing,
    runBilling: async () => {
      if (error) throw error;
    },
    end: () => undefined,
    ...changes,
  } as unknown as Background;
  const keep =
    (level: string) =>
    ({ failures: count }: object & { failures?: number }, text: string): void =>
      void said.push([level, count, text]);
  const { idle } = startBeats({
    background,
    archive: nothing,
    timers: {
      every: (_, beat) => {
        beats.push(beat);
        return () => undefined;
      },
    },
    metrics: { ticked: () => undefined, tickFailed: () => void (failures += 1) },
    log: { info: keep('info'), warn: keep('warn'), error: keep('error') },
  });
  const run = async (times: number, failure?: Error): Promise<void> => {
    error = failure;
    for (let time = 0; time < times; time += 1) {
      for (const beat of beats) beat();
      await idle();
    }
  };
  const beat = (): void => {
    for (const one of beats) one();
  };
  return { run, beat, said, failures: () => failures };
}

it('quotes are saved at each beat, whatever housekeeping waits for', async () => {
  let saved = 0;
  const { beat } = scene({
    tick: () => new Promise(() => undefined),
    saveQuotes: async () => void (saved += 1),
  });
  beat();
  await hostPause();
  beat();
  expect(saved).toBe(2);
});

describe('a task that fails at each beat', () => {
  it('is logged once and counted each time, and its end is logged', async () => {
    const { run, said, failures } = scene();
    await run(20, new Error('the database is gone'));
    expect(said).toEqual([['error', 1, 'billing failed; will retry']]);
    expect(failures()).toBe(20);
    await run(2);
    expect(said.slice(1)).toEqual([['info', 20, 'billing works again']]);
  });

  it('is logged again with another error, and after it has worked', async () => {
    const { run, said } = scene();
    await run(2, new Error('one'));
    await run(2, new Error('other'));
    await run(1);
    await run(1, new Error('other'));
    expect(said).toEqual([
      ['error', 1, 'billing failed; will retry'],
      ['error', 3, 'billing failed; will retry'],
      ['info', 4, 'billing works again'],
      ['error', 1, 'billing failed; will retry'],
    ]);
  });
});
