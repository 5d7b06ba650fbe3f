import { createCipheriv, createDecipheriv } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const TAG_BYTES = 16;
const NONCE_BYTES = 12;
/** The last bytes of a nonce count the frames. */
const COUNT_BYTES = 6;

/** The nonce of each frame in turn. A frame that is missing, repeated or moved does not open under the next one. */
function nonces(): () => Buffer {
  let count = 0;
  return () => {
    const nonce = Buffer.alloc(NONCE_BYTES);
    nonce.writeUIntBE(count, NONCE_BYTES - COUNT_BYTES, COUNT_BYTES);
    count += 1;
    return nonce;
  };
}

/** Seals the frames of one direction, one after another. */
export function frameSealer(key: Buffer): (frame: Buffer) => Buffer {
  const next = nonces();
  return (frame) => {
    const cipher = createCipheriv(ALGORITHM, key, next());
    const sealed = cipher.update(frame);
    cipher.final();
    return Buffer.concat([sealed, cipher.getAuthTag()]);
  };
}

/** Opens the frames of one direction, one after another; throws when one is not the next. */
export function frameOpener(key: Buffer): (sealed: Buffer) => Buffer {
  const next = nonces();
  return (sealed) => {
    const end = Math.max(0, sealed.length - TAG_BYTES);
    const decipher = createDecipheriv(ALGORITHM, key, next(), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(sealed.subarray(end));
    const frame = decipher.update(sealed.subarray(0, end));
    decipher.final();
    return frame;
  };
}
