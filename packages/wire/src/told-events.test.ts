import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toldEvents } from './told-events.js';

describe('what a client was told', () => {
  it('is everything up to a version, unless the connection ended just after an event of it', () => {
    const told = toldEvents();
    expect(told.after()).toBeUndefined();
    told.take('snapshot', 5);
    told.cut(true);
    expect(told.after()).toBe(5);
    told.take('opened', 6);
    told.cut(false);
    expect(told.after()).toBe(6);
    told.take('opened', 7);
    told.cut(true);
    expect(told.after()).toBe(6);
    expect(told.take('opened', 7)).toBe(false);
    expect(told.take('filled', 7)).toBe(true);
  });

  it('is each event once, however often connections end', () => {
    // How many events each change has; and after how many events each connection ends.
    const [changes, ends] = [fc.array(fc.integer({ min: 1, max: 4 })), fc.array(fc.nat(6))];
    fc.assert(
      fc.property(changes, ends, fc.boolean(), (counts, cuts, hearsMore) => {
        const all = counts.flatMap((count, at) =>
          Array.from({ length: count }, (_, nth) => ({ version: at + 1, nth })),
        );
        const told = toldEvents(0);
        const heard: unknown[] = [];
        for (const cut of [...cuts, Infinity]) {
          const sent = all.filter(({ version }) => version > (told.after() ?? 0)).slice(0, cut);
          for (const one of sent) if (told.take('opened', one.version)) heard.push(one);
          const [last] = sent.slice(-1);
          const isWhole = all.find(
            ({ version, nth }) => version === last?.version && nth > last.nth,
          );
          told.cut(sent.length > 0 && !(hearsMore && isWhole === undefined));
        }
        expect(heard).toEqual(all);
      }),
    );
  });
});
