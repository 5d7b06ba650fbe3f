import { envelope } from '@slipstream/wire';

/** The text of an answer, or its bytes in pieces. */
export type AnswerBody = string | readonly Buffer[];

/** A successful answer, written: the bytes that are sent, in pieces, because to join them would cost more than to send them. */
export class Written<Response> {
  /** Never there: it carries the type. */
  declare readonly response?: Response;

  constructor(readonly pieces: readonly Buffer[]) {}
}

const bytesOf = (text: string): Buffer => Buffer.from(text);
const [before = '', after = ''] = envelope(true, ['']).split('""');
const [head, tail] = [bytesOf(before), bytesOf(after)];

/**
 * Writes lists of items that never change, each item once: one that is shown again is the same object, and its bytes are
 * what `present` made of it the first time.
 */
export function listWriter<Item extends object, Shown>(
  present: (item: Item) => Shown,
): (items: readonly Item[]) => Written<Shown[]> {
  const written = new WeakMap<Item, Buffer>();
  /** With the comma that stands before it, but for the first. */
  const following = (item: Item): Buffer => {
    const known = written.get(item);
    if (known) return known;
    const bytes = bytesOf(`,${JSON.stringify(present(item))}`);
    written.set(item, bytes);
    return bytes;
  };
  return (items) => {
    const pieces = [head];
    for (const item of items) {
      const bytes = following(item);
      pieces.push(pieces.length === 1 ? bytes.subarray(1) : bytes);
    }
    pieces.push(tail);
    return new Written(pieces);
  };
}
