import { describe, expect, it } from '@jest/globals';
import { envelope } from '@slipstream/wire';
import { cachedListEncoder } from './encoded-body.js';

interface Named {
  readonly name: string;
}

describe('a list encoded item by item', () => {
  const present = ({ name }: Named) => ({ name, length: name.length });
  const [ada, bob, odd] = [{ name: 'ada' }, { name: '"bob",[]' }, { name: 'ü – 日本 😀' }];

  it.each([[[]], [[ada]], [[odd, bob]], [[bob, ada, bob, odd]]])(
    'has the text of the whole list: %j',
    (items: readonly Named[]) => {
      const encode = cachedListEncoder(present);
      const whole = envelope(true, items.map(present));
      expect(String(Buffer.concat(encode(items)))).toBe(whole);
      expect(String(Buffer.concat(encode(items)))).toBe(whole);
    },
  );

  it('presents an item once, at any place', () => {
    let presented = 0;
    const encode = cachedListEncoder((item: Named) => {
      presented += 1;
      return present(item);
    });
    encode([ada, bob]);
    expect(String(Buffer.concat(encode([bob, ada])))).toBe(envelope(true, [bob, ada].map(present)));
    expect(presented).toBe(2);
  });
});
