import { randomFillSync } from 'node:crypto';
import { type Id, id } from '@slipstream/domain';
import type { Clock, Ids } from '@slipstream/ports';

/** UUIDv7 (RFC 9562): milliseconds, then a counter that keeps the order within one of them, then randomness. */
export function uuidV7Ids(clock: Clock): Ids {
  const random = randomSource();
  let lastAt = 0;
  let counter = 0;
  return {
    next<Kind extends string>(): Id<Kind> {
      const now = Math.max(clock.now(), lastAt);
      counter = now === lastAt ? counter + 1 : random(2).readUInt16BE() & 0x7ff;
      lastAt = now;
      if (counter > 0xfff) {
        lastAt += 1;
        counter = 0;
      }
      const time = lastAt.toString(16).padStart(12, '0');
      const bytes = random(8);
      bytes.writeUInt8(0x80 | (bytes.readUInt8() & 0x3f));
      const rest = bytes.toString('hex');
      return id(
        `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${rest.slice(0, 4)}-${rest.slice(4)}`,
      );
    },
  };
}

/** Random bytes, fetched from the system for many ids at once. */
function randomSource(): (count: number) => Buffer {
  const pool = Buffer.alloc(4096);
  let used = pool.length;
  return (count) => {
    if (used + count > pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    used += count;
    return pool.subarray(used - count, used);
  };
}
