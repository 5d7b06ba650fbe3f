import { createHash } from 'node:crypto';
import type { Fingerprints } from '@slipstream/ports';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** The first 160 bits of the SHA-256 of the parts, each with its length in front, in base32. */
export const sha256Fingerprints = (): Fingerprints => ({
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
  of: (...parts) => {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(`${part.length}:${part}|`);
    const bits = [...hash.digest().subarray(0, 20)]
      .map((byte) => byte.toString(2).padStart(8, '0'))
      .join('');
    return (bits.match(/.{5}/g) ?? []).map((five) => BASE32[Number.parseInt(five, 2)]).join('');
  },
});
