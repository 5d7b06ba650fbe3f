import { describe, expect, it } from '@jest/globals';
import { envelope } from '@slipstream/wire';
import { listWriter } from './written.js';

interface Named {
  readonly name: string;
}

describe('a list that is written item by item', () => {
  const present = ({ name }: Named) => ({ name, length: name.length });
  const [ada, bob, odd] = [{ name: 'ada' }, { name: '"bob",[]' }, { name: 'ü – 日本 😀' }];

  it.each([[[]], [[ada]], [[odd, bob]], [[bob, ada, bob, odd]]])(
    'is the text of the whole: %j',
    (items: readonly Named[]) => {
      const write = listWriter(present);
      const whole = envelope(true, items.map(present));
      expect(String(Buffer.concat(write(items).pieces))).toBe(whole);
      expect(String(Buffer.concat(write(items).pieces))).toBe(whole);
    },
  );

  it('presents an item once, wherever it stands', () => {
    let presented = 0;
    const write = listWriter((item: Named) => {
      presented += 1;
      return present(item);
    });
    write([ada, bob]);
    expect(String(Buffer.concat(write([bob, ada]).pieces))).toBe(
      envelope(true, [bob, ada].map(present)),
    );
    expect(presented).toBe(2);
  });
});
