import type { CountedHeaders } from '../requests/plain-request.js';

/** Whether the answer to an alert reached its sender, by the id of its delivery. */
export type DeliveryNews = readonly ['answered' | 'lost', string];

/** A request for an operation that another node took; its body comes with it. */
export interface LinkedRequest {
  readonly method: string;
  /** The path and the query. */
  readonly target: string;
  readonly headers: CountedHeaders;
  /** The client's address. */
  readonly address: string;
  readonly requestId: string;
  /** For how many milliseconds the request has waited. */
  readonly waited: number;
}

/** The answer without its body. */
export interface LinkedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the body follows through the channel of that id. */
  readonly isLong: boolean;
}

/** A message of a link, without the bytes that come with it. Ids are of the side that asks. */
export type Message =
  /** To the node that serves: whether it does, and a request for an operation. */
  | readonly ['serves?', id: number]
  | readonly ['ask', id: number, request: LinkedRequest]
  /** A client's connection, which then is a channel. */
  | readonly ['connect', id: number, address: string]
  | readonly ['news', id: number, news: readonly DeliveryNews[]]
  /** From it: the id of the node that serves, or null. */
  | readonly ['serves', id: number, node: string | null]
  | readonly ['answer', id: number, answer: LinkedAnswer]
  /** It does not serve; nothing of it was done. */
  | readonly ['refused', id: number]
  | readonly ['heard', id: number, news: number]
  /** It serves no more; it owns the database no more. */
  | readonly ['leaves', id: number]
  | readonly ['left', id: number]
  /** Of a channel, both ways: bytes, how many more may come, no more will come, broken. */
  | readonly ['data', id: number]
  | readonly ['credit', id: number, bytes: number]
  | readonly ['end', id: number]
  | readonly ['cut', id: number];

const LENGTH = 4;
const EMPTY = Buffer.alloc(0);

/** Messages that become one frame. */
export class FrameBuilder {
  private parts: (readonly [head: string, length: number, body: Buffer])[] = [];
  /** How many bytes the frame has. */
  size = 0;

  add(message: Message, body: Buffer): void {
    const head = JSON.stringify(message);
    const length = Buffer.byteLength(head);
    this.parts.push([head, length, body]);
    this.size += 2 * LENGTH + length + body.length;
  }

  /** The frame of all that were added; it begins anew. */
  take(): Buffer {
    const frame = Buffer.allocUnsafe(this.size);
    let at = 0;
    for (const [head, length, body] of this.parts) {
      frame.writeUInt32BE(length, at);
      frame.writeUInt32BE(body.length, at + LENGTH);
      frame.write(head, at + 2 * LENGTH, length, 'utf8');
      frame.set(body, at + 2 * LENGTH + length);
      at += 2 * LENGTH + length + body.length;
    }
    [this.parts, this.size] = [[], 0];
    return frame;
  }
}

/** The messages of a frame in order, each with its bytes. */
export function* messagesOf(frame: Buffer): Generator<readonly [Message, Buffer]> {
  let at = 0;
  while (at < frame.length) {
    const head = at + 2 * LENGTH;
    const body = head + frame.readUInt32BE(at);
    const end = body + frame.readUInt32BE(at + LENGTH);
    const message = JSON.parse(frame.toString('utf8', head, body)) as Message;
    yield [message, body === end ? EMPTY : frame.subarray(body, end)];
    at = end;
  }
}
