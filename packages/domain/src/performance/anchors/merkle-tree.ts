/** Hex SHA-256 of bytes, or of a text in UTF-8; the host has one. */
export type Sha256OfBytes = (data: string | Uint8Array) => string;

/** Before a leaf is a zero byte and before a node a one (RFC 9162, 2.1.1), so that no node can be shown as a leaf. */
const LEAF_PREFIX = '\u0000';
const NODE_PREFIX = 1;
/** Of a SHA-256, in bytes. */
const HASH_LENGTH = 32;

/** The hash of a leaf: hex SHA-256 of a zero byte and the text in UTF-8. */
export const leafHash = (text: string, sha256: Sha256OfBytes): string =>
  sha256(`${LEAF_PREFIX}${text}`);

/** The hash of two subtrees: hex SHA-256 of a one byte and the bytes of both. */
export function nodeHash(left: string, right: string, sha256: Sha256OfBytes): string {
  const bytes = new Uint8Array(1 + 2 * HASH_LENGTH);
  bytes[0] = NODE_PREFIX;
  const digits = left + right;
  for (let at = 0; at < 2 * HASH_LENGTH; at += 1)
    bytes[1 + at] = Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16);
  return sha256(bytes);
}

/** The hashes above these; the last one without a neighbour goes up as it is. */
function parentsOf(hashes: readonly string[], sha256: Sha256OfBytes): string[] {
  const parents: string[] = [];
  for (let at = 0; at < hashes.length; at += 2) {
    const [left = '', right] = [hashes[at], hashes[at + 1]];
    parents.push(right === undefined ? left : nodeHash(left, right, sha256));
  }
  return parents;
}

/** The root of the Merkle tree (RFC 9162, 2.1.1) over hashes of leaves, or over roots of equally large full subtrees and the rest. */
export function treeRoot(hashes: readonly string[], sha256: Sha256OfBytes): string {
  let level = hashes;
  while (level.length > 1) level = parentsOf(level, sha256);
  return level[0] ?? sha256('');
}

/** The hashes that lead from the hash at `index` to the root, from below (RFC 9162, 2.1.3.1). */
export function treePath(
  hashes: readonly string[],
  index: number,
  sha256: Sha256OfBytes,
): string[] {
  const path: string[] = [];
  let level = hashes;
  for (let at = index; level.length > 1; at >>= 1) {
    const neighbour = level[at ^ 1];
    if (neighbour !== undefined) path.push(neighbour);
    level = parentsOf(level, sha256);
  }
  return path;
}

/** Where a leaf claims to be in a tree. */
export interface TreePlace {
  readonly index: number;
  /** The number of leaves of the tree. */
  readonly size: number;
  readonly path: readonly string[];
}

const HASH = /^[\da-f]{64}$/;

/** The root to which a path leads from the hash of a leaf (RFC 9162, 2.1.3.2); undefined if no tree of that size has such a path. */
export function rootOfPath(
  hash: string,
  { index, size, path }: TreePlace,
  sha256: Sha256OfBytes,
): string | undefined {
  const isPlace = Number.isSafeInteger(index) && Number.isSafeInteger(size);
  if (!isPlace || index < 0 || index >= size) return undefined;
  if (![hash, ...path].every((one) => HASH.test(one))) return undefined;
  let root = hash;
  let [at, last] = [index, size - 1];
  for (const neighbour of path) {
    if (last === 0) return undefined;
    // A hash without a neighbour went up as it is.
    while (at % 2 === 0 && at === last) [at, last] = [at / 2, last / 2];
    root = at % 2 === 1 ? nodeHash(neighbour, root, sha256) : nodeHash(root, neighbour, sha256);
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? root : undefined;
}
