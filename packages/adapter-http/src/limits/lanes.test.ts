import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { lanes } from './lanes.js';

/** Tasks that record their start, and end on demand. */
function held() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => async (): Promise<string> => {
    begun.push(name);
    await new Promise<void>((resolve) => ends.set(name, resolve));
    return name;
  };
  return { begun, work, end: (name: string) => ends.get(name)?.() };
}

describe('a lane', () => {
  it('runs one task of a name after another, and tasks of other names concurrently', async () => {
    const { enter } = lanes();
    const { begun, work, end } = held();
    const all = [
      enter('loud', work('loud 1')),
      enter('loud', work('loud 2')),
      enter('calm', work('calm')),
    ];
    for (let rounds = 0; rounds < 3; rounds += 1) await turn();
    expect(begun).toEqual(['loud 1', 'calm']);
    end('loud 1');
    for (let rounds = 0; rounds < 3; rounds += 1) await turn();
    expect(begun).toEqual(['loud 1', 'calm', 'loud 2']);
    end('loud 2');
    end('calm');
    expect(await Promise.all(all)).toEqual(['loud 1', 'loud 2', 'calm']);
  });

  it('begins, or goes on after a rest, one task of all names in a turn of the event loop, by turns', async () => {
    const { enter } = lanes();
    const steps: string[] = [];
    let [turns, begunIn] = [0, -1];
    const step = (name: string): void => {
      expect(turns).toBeGreaterThan(begunIn);
      begunIn = turns;
      steps.push(name);
    };
    const names = Array.from({ length: 20 }, (_, index) => `n${index}`);
    const all = names.map((name) =>
      enter(name, async (rest) => {
        for (let page = 0; page < 3; page += 1) {
          step(name);
          await rest();
        }
      }),
    );
    let isOver = false;
    void Promise.all(all).then(() => (isOver = true));
    while (!isOver) {
      await turn();
      turns += 1;
    }
    expect(steps).toEqual([...names, ...names, ...names]);
  });

  it('continues after a failure, and forgets a name without tasks', async () => {
    const all = lanes();
    const failing = all.enter('loud', () => Promise.reject(new Error('no')));
    const next = all.enter('loud', async () => 'next');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('next');
    expect(all.busy).toBe(0);
  });
});
