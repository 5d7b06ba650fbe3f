import type { IncomingMessage } from 'node:http';
import { Refusal } from '@slipstream/domain';
import { TransportFailure } from '../answers/failures.js';

/** Beyond the limit this much more is read and dropped, so that the sender can read the answer. */
const DISCARDED = 4 * 1024 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The client left before its body was complete: there is nobody to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

/** The text of a body. Refuses one that is compressed or not UTF-8 (400). */
export async function textOf(
  encoding: string | undefined,
  read: () => Promise<Buffer>,
): Promise<string> {
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Refusal('invalid_json', 'the body must not be compressed');
  }
  const bytes = await read();
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Refusal('invalid_json', 'the body must be UTF-8');
  }
}

/** The whole body as text. Refuses a body larger than `limit` bytes (413), compressed or not UTF-8 (400). */
export const readBody = (request: IncomingMessage, limit: number): Promise<string> =>
  textOf(request.headers['content-encoding'], () => readBytes(request, limit));

/** Nearly every body comes in one piece. */
const joined = ([first, ...others]: readonly Buffer[]): Buffer =>
  first && others.length === 0 ? first : Buffer.concat(first ? [first, ...others] : []);

export const bodyTooLarge = (limit: number): TransportFailure =>
  new TransportFailure(413, 'body_too_large', `the body may have ${limit} bytes`);

/** The whole body. Refuses one larger than `limit` bytes (413). */
export async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const bytes = await readStart(request, limit);
  if (bytes.length > limit) throw bodyTooLarge(limit);
  return bytes;
}

/** The whole body, or a byte more than `limit` of a larger one. */
export function readStart(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = () => {
      request.off('data', collect);
      resolve(joined(chunks));
    };
    const collect = (chunk: Buffer) => {
      if (size <= limit) chunks.push(chunk.subarray(0, limit + 1 - size));
      size += chunk.length;
      if (size > limit + DISCARDED) end();
    };
    request.on('data', collect);
    request.once('end', end);
    // Every request is closed at its end, usually complete.
    const gone = () => {
      if (!request.complete) reject(new ClientGone('the client went away'));
    };
    request.once('error', gone);
    request.once('close', gone);
  });
}
