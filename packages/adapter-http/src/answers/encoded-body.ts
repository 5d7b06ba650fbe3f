import { envelope, immutableItemPresenter } from '@slipstream/wire';

/** An encoded answer: its text, or its bytes in pieces, because joining them would cost more than sending them. */
export type EncodedBody = string | readonly Buffer[];

/** An answer costs one more call for each of this many bytes. */
const CALL_BYTES = 64 * 1024;

/** How many calls an answer counts for beside the first. */
export const costOfSize = (body: EncodedBody): number => {
  const length =
    typeof body === 'string' ? body.length : body.reduce((sum, piece) => sum + piece.length, 0);
  return Math.floor(length / CALL_BYTES);
};

type Encoder = (view: unknown) => EncodedBody;

const bytesOf = (text: string): Buffer => Buffer.from(text);
const [before = '', after = ''] = envelope(true, ['']).split('""');
const [head, tail] = [bytesOf(before), bytesOf(after)];

/**
 * Encodes lists of immutable items, each item once: an item that is shown again is the same object, and its first encoding
 * is reused.
 */
export function cachedListEncoder<Item extends object>(
  present: (item: Item) => unknown,
): (items: readonly Item[]) => readonly Buffer[] {
  const encoded = new WeakMap<Item, Buffer>();
  /** The encoded item after a comma. */
  const following = (item: Item): Buffer => {
    const known = encoded.get(item);
    if (known) return known;
    const bytes = bytesOf(`,${JSON.stringify(present(item))}`);
    encoded.set(item, bytes);
    return bytes;
  };
  return (items) => {
    const pieces = [head];
    for (const item of items) {
      const bytes = following(item);
      pieces.push(pieces.length === 1 ? bytes.subarray(1) : bytes);
    }
    pieces.push(tail);
    return pieces;
  };
}

const listEncoders = new Map<(item: object) => unknown, Encoder>();

/** Encodes the answers of a row. Rows that present the same items share their encodings. */
export function encoderOf({ present }: { present(this: void, view: unknown): unknown }): Encoder {
  const presentItem = immutableItemPresenter(present);
  if (!presentItem) return (view) => envelope(true, present(view));
  const known = listEncoders.get(presentItem);
  if (known) return known;
  const encodeList = cachedListEncoder(presentItem);
  const encoder: Encoder = (view) => encodeList(view as readonly object[]);
  listEncoders.set(presentItem, encoder);
  return encoder;
}
