import { randomBytes } from 'node:crypto';
import { type Id, id } from '@slipstream/domain';
import type { Clock, Ids } from '@slipstream/ports';

/** UUIDv7 (RFC 9562): milliseconds, then a counter that keeps the order within one of them, then randomness. */
export function uuidV7Ids(clock: Clock): Ids {
  let lastAt = 0;
  let counter = 0;
  return {
    next<Kind extends string>(): Id<Kind> {
      const now = Math.max(clock.now(), lastAt);
      counter = now === lastAt ? counter + 1 : randomBytes(2).readUInt16BE() & 0x7ff;
      lastAt = now;
      if (counter > 0xfff) {
        lastAt += 1;
        counter = 0;
      }
      const bytes = randomBytes(16);
      bytes.writeUIntBE(lastAt, 0, 6);
      bytes.writeUInt16BE(0x7000 | counter, 6);
      bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
      const hex = bytes.toString('hex');
      return id(
        [
          hex.slice(0, 8),
          hex.slice(8, 12),
          hex.slice(12, 16),
          hex.slice(16, 20),
          hex.slice(20),
        ].join('-'),
      );
    },
  };
}
