import { describe, expect, it } from '@jest/globals';
import { subscription } from '../src/subscription.js';

const SYMBOLS = Array.from({ length: 300 }, (_, index) => `C${index}-USD`);

/** Asks a venue that refuses each request with one of these symbols, and names none. */
function asked(isRefused: (index: number) => boolean, symbols = SYMBOLS) {
  const requests: (readonly string[])[] = [];
  const subscribed = subscription(
    (some) => void requests.push(some),
    () => 0,
  );
  const bad = new Set(symbols.filter((_, index) => isRefused(index)));
  const told: string[] = [];
  let isEnded = false;
  subscribed.want(symbols);
  for (let at = 0; at < requests.length && !isEnded; at += 1) {
    const some = requests[at] ?? [];
    if (!some.some((symbol) => bad.has(symbol))) subscribed.accept(some);
    else {
      const only = subscribed.fail();
      isEnded = only === null;
      if (typeof only === 'string') told.push(only);
    }
  }
  return { bad: [...bad], isEnded, requests: requests.length, silent: subscribed.silent(), told };
}

describe('a subscription that is refused, and no symbol named', () => {
  it.each([
    ['one', (index: number) => index === 77],
    ['seven here and there', (index: number) => index % 40 === 1 && index < 280],
    ['forty neighbours', (index: number) => index < 40],
    ['forty neighbours at the end', (index: number) => index >= 260],
  ])('is asked for by halves: %s', (_, isRefused) => {
    const { bad, isEnded, silent, told } = asked(isRefused);
    expect([isEnded, silent, told.toSorted()]).toEqual([false, [], bad.toSorted()]);
  });

  it('ends soon when nothing is accepted: it is not refused for its symbols', () => {
    const { isEnded, requests, told } = asked(() => true);
    expect(isEnded).toBe(true);
    expect(requests).toBeLessThan(20);
    expect(told.length).toBeLessThan(5);
  });

  it('does not end when all of a few are refused', () => {
    const { isEnded, told } = asked(() => true, SYMBOLS.slice(0, 3));
    expect([isEnded, told.length]).toEqual([false, 3]);
  });
});
