import { hash } from 'node:crypto';
import type { Fingerprints } from '@slipstream/ports';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** The first 160 bits of the SHA-256 of the parts, each with its length in front, in base32. */
export const sha256Fingerprints = (): Fingerprints => ({
  sha256: (data) => hash('sha256', data),
  of: (...parts) => {
    const text = parts.map((part) => `${part.length}:${part}|`).join('');
    return base32(hash('sha256', text, 'buffer').subarray(0, 20));
  },
});

/** Of bytes that are a multiple of five: eight letters each. */
function base32(bytes: Buffer): string {
  let text = '';
  let bits = 0;
  let count = 0;
  for (const byte of bytes) {
    bits = ((bits & 0x1f) << 8) | byte;
    for (count += 8; count >= 5; count -= 5) text += BASE32[(bits >> (count - 5)) & 0x1f];
  }
  return text;
}
