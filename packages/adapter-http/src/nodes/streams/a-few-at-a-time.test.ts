import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { aFewAtATime } from './a-few-at-a-time.js';

/** Streams of which each ends when the test says so, and timers that run when it says so. */
function scene(count: number) {
  const timers = new Set<() => void>();
  const inTurn = aFewAtATime({
    after: (_, call) => {
      timers.add(call);
      return () => timers.delete(call);
    },
  });
  const begun: number[] = [];
  const ends: { end(): void; fail(error: Error): void }[] = [];
  const over = Array.from({ length: count }, (_, index) =>
    inTurn(
      () =>
        new Promise<number>((resolve, fail) => {
          begun.push(index);
          ends[index] = { end: () => resolve(index), fail };
        }),
    ),
  );
  return { begun, ends, over, timers };
}
const upTo = (end: number): number[] => Array.from({ length: end }, (_, index) => index);

describe('streams that go on a few at a time', () => {
  it('begin in the order in which they came, the next when one has ended or failed', async () => {
    const { begun, ends, over, timers } = scene(20);
    await setImmediate();
    expect(begun).toEqual(upTo(16));
    ends[3]?.end();
    expect(await over[3]).toBe(3);
    await setImmediate();
    expect(begun).toEqual(upTo(17));
    ends[7]?.fail(new Error('lost'));
    await expect(over[7]).rejects.toThrow('lost');
    await setImmediate();
    expect(begun).toEqual(upTo(18));
    expect(timers.size).toBe(16);
  });

  it('keep no other from its turn for longer than a while, and end all the same', async () => {
    const { begun, ends, over, timers } = scene(20);
    await setImmediate();
    for (const call of timers) call();
    await setImmediate();
    expect(begun).toEqual(upTo(20));
    ends[0]?.end();
    expect(await over[0]).toBe(0);
  });
});
