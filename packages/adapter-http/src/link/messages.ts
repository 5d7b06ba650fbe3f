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
  /** Whether it was sent before, and its answer never came. */
  readonly isAgain?: boolean;
  /** For how many milliseconds the request had waited when it was sent, and when that was by the sender's clock. */
  readonly waited: number;
  readonly sentAt: number;
}

/** The answer without its body. */
export interface LinkedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the body follows through the channel of that id. */
  readonly isLong: boolean;
}

/** What two nodes say to each other. Ids are of the side that asks. */
export type Word =
  /** To the node that serves: whether it does, and a request for an operation. */
  | readonly ['serves?', id: number, sentAt: number]
  | readonly ['ask', id: number, request: LinkedRequest]
  /** Whether nothing of a request is under way there that went over an earlier link. */
  | readonly ['settled?', id: number, requestId: string]
  /** A client's connection, which then is a channel. */
  | readonly ['connect', id: number, address: string]
  | readonly ['news', id: number, news: readonly DeliveryNews[]]
  /** From it: the id of the node that serves, or null. */
  | readonly ['serves', id: number, node: string | null]
  | readonly ['answer', id: number, answer: LinkedAnswer]
  | readonly ['settled', id: number]
  /** It does not serve; nothing of it was done. */
  | readonly ['refused', id: number]
  | readonly ['heard', id: number, news: number]
  /** It serves no more; it owns the database no more. */
  | readonly ['leaves', id: number]
  | readonly ['left', id: number];

/** Of channels, both ways. */
export type OfChannels =
  /** Bytes: what is for many clients goes once. */
  | readonly ['data', ids: readonly number[]]
  /** How many more bytes may come, no more will come, broken. */
  | readonly ['credit', id: number, bytes: number]
  | readonly ['end', id: number]
  | readonly ['cut', id: number];

/** A message of a link, without the bytes that come with it. */
export type Message = Word | OfChannels;

const LENGTH = 4;
/** About as many bytes has the id of one more channel. */
const ID = 6;
const EMPTY = Buffer.alloc(0);

/** Bytes with the channels they are for, or another message with its bytes. */
type Part =
  | { readonly ids: number[]; readonly body: Buffer }
  | { readonly head: string; readonly body: Buffer };

const headOf = (part: Part): string =>
  'head' in part ? part.head : JSON.stringify(['data', part.ids] satisfies Message);

/** Messages that become one frame. */
export class FrameBuilder {
  private parts: Part[] = [];
  /** About how many bytes the frame has. */
  size = 0;

  /** Bytes that are given again, for another channel, join those before. */
  add(message: Message, body: Buffer): void {
    if (message[0] !== 'data') {
      const head = JSON.stringify(message);
      this.put({ head, body }, head.length);
      return;
    }
    const [, ids] = message;
    const last = this.parts.at(-1);
    if (last && 'ids' in last && last.body === body) {
      last.ids.push(...ids);
      this.size += ids.length * ID;
    } else this.put({ ids: [...ids], body }, ids.length * ID);
  }

  /** The frame of all that were added; it begins anew. */
  take(): Buffer {
    const heads = this.parts.map((part) => Buffer.from(headOf(part)));
    const sizes = this.parts.map(({ body }, at) => (heads[at]?.length ?? 0) + body.length);
    const frame = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + 2 * LENGTH + size, 0));
    let at = 0;
    for (const [index, { body }] of this.parts.entries()) {
      const head = heads[index] ?? EMPTY;
      frame.writeUInt32BE(head.length, at);
      frame.writeUInt32BE(body.length, at + LENGTH);
      frame.set(head, at + 2 * LENGTH);
      frame.set(body, at + 2 * LENGTH + head.length);
      at += 2 * LENGTH + head.length + body.length;
    }
    [this.parts, this.size] = [[], 0];
    return frame;
  }

  private put(part: Part, head: number): void {
    this.parts.push(part);
    this.size += 2 * LENGTH + head + part.body.length;
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
