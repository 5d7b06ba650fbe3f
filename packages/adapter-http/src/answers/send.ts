import type { Response } from 'express';
import type { EncodedBody } from './encoded-body.js';

/** Sends the whole answer at once. */
export function send(response: Response, status: number, type: string, body: EncodedBody): void {
  response.statusCode = status;
  response.setHeader('Content-Type', type);
  if (typeof body === 'string') {
    response.setHeader('Content-Length', Buffer.byteLength(body));
    response.end(body);
    return;
  }
  response.setHeader(
    'Content-Length',
    body.reduce((length, piece) => length + piece.length, 0),
  );
  response.cork();
  for (const piece of body) response.write(piece);
  response.end();
  // A compressed answer comes later, and would wait for ever for a response that is held back.
  response.uncork();
}
