import { describe, expect, it } from '@jest/globals';
import { requestsThrough } from './requests-through.js';

/** An adapter of a host. */
class Desk {
  readonly #words: readonly string[] = ['yes'];
  readonly name: string = 'desk';
  get length(): number {
    return this.#words.length;
  }
  async ask(word: string): Promise<string> {
    return [word, ...this.#words].join(' ');
  }
  count(): number {
    return this.#words.length;
  }
  fail(): Promise<never> {
    throw new Error('at once');
  }
  readonly absent?: () => Promise<void>;
}

const frozen = Object.freeze({
  name: 'frozen',
  length: 1,
  ask: async (word: string) => `${word} yes`,
  count: () => 1,
  fail: () => {
    throw new Error('at once');
  },
});

describe('requests through another', () => {
  it.each([
    ['an object of a class with private parts', new Desk()],
    ['a frozen object', frozen as unknown as Desk],
    ['a proxy of it', requestsThrough(new Desk(), ['ask'], async (_, ask) => ask())],
  ])('are sent by it, and everything else stays as it is: %s', async (_, port) => {
    const sent: unknown[] = [];
    const through = requestsThrough(port, ['ask', 'fail'], async (request, ask, given) => {
      sent.push([request, ...given]);
      return ask();
    });
    expect(await through.ask('oh')).toBe('oh yes');
    await expect(through.fail()).rejects.toThrow('at once');
    expect(sent).toEqual([['ask', 'oh'], ['fail']]);
    expect([through.name, through.length, through.count()]).toEqual([port.name, 1, 1]);
    expect(through.absent).toBeUndefined();
    expect(['ask' in through, 'other' in through]).toEqual([true, false]);
  });
});
