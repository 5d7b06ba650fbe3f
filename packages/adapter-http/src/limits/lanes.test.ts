import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { lanes } from './lanes.js';

/** Works that say when they begin, and end when they are told to. */
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
  it('takes one after another of a name, and those of others beside it', async () => {
    const { enter } = lanes();
    const { begun, work, end } = held();
    const all = [
      enter('loud', work('loud 1')),
      enter('loud', work('loud 2')),
      enter('calm', work('calm')),
    ];
    await turn();
    expect(begun).toEqual(['loud 1', 'calm']);
    end('loud 1');
    for (let rounds = 0; rounds < 3; rounds += 1) await turn();
    expect(begun).toEqual(['loud 1', 'calm', 'loud 2']);
    end('loud 2');
    end('calm');
    expect(await Promise.all(all)).toEqual(['loud 1', 'loud 2', 'calm']);
  });

  it('goes on after one that fails, and keeps nothing of a name that is done', async () => {
    const all = lanes();
    const failing = all.enter('loud', () => Promise.reject(new Error('no')));
    const next = all.enter('loud', async () => 'next');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('next');
    expect(all.busy).toBe(0);
  });
});
