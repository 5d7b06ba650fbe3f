import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { leafHash, nodeHash, rootOfPath, treePath, treeRoot } from './merkle-tree.js';

const sha256 = (data: string | Uint8Array): string =>
  createHash('sha256').update(data).digest('hex');

/** The leaves and roots with which implementations of RFC 6962 and RFC 9162 are tested. */
const KNOWN_LEAVES = ['', '\0', '\x10', ' !', '01', '@ABC', 'PQRSTUVW', '`abcdefghijklmno'];
const KNOWN_ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const hashesOf = (texts: readonly string[]): string[] =>
  texts.map((text) => leafHash(text, sha256));

const leaves = (size: number): string[] =>
  hashesOf(Array.from({ length: size }, (_, leaf) => `leaf ${leaf}`));

/** The definition in RFC 9162, 2.1.1, word by word. */
function definedRoot(hashes: readonly string[]): string {
  if (hashes.length <= 1) return hashes[0] ?? sha256('');
  let split = 1;
  while (2 * split < hashes.length) split *= 2;
  const [left, right] = [hashes.slice(0, split), hashes.slice(split)];
  return nodeHash(definedRoot(left), definedRoot(right), sha256);
}

const tree = fc
  .integer({ min: 1, max: 300 })
  .chain((size) => fc.tuple(fc.constant(size), fc.nat({ max: size - 1 })));

describe('a Merkle tree', () => {
  it.each(KNOWN_ROOTS.map((root, last) => [last + 1, root] as const))(
    'over %d known leaves has the known root',
    (size, root) => {
      expect(treeRoot(hashesOf(KNOWN_LEAVES.slice(0, size)), sha256)).toBe(root);
    },
  );

  it('over nothing is the hash of nothing', () => {
    expect(treeRoot([], sha256)).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
  });

  it('is that of the definition, for every size', () => {
    for (let size = 1; size <= 130; size += 1)
      expect(treeRoot(leaves(size), sha256)).toBe(definedRoot(leaves(size)));
  });

  it('is the same over the roots of full subtrees and the rest', () => {
    fc.assert(
      fc.property(tree, fc.integer({ min: 0, max: 5 }), ([size], height) => {
        const hashes = leaves(size);
        const part = 2 ** height;
        const parts: string[] = [];
        for (let at = 0; at < size; at += part)
          parts.push(treeRoot(hashes.slice(at, at + part), sha256));
        expect(treeRoot(parts, sha256)).toBe(treeRoot(hashes, sha256));
      }),
    );
  });

  it('leads from every leaf to its root', () => {
    fc.assert(
      fc.property(tree, ([size, index]) => {
        const hashes = leaves(size);
        const path = treePath(hashes, index, sha256);
        const root = rootOfPath(hashes[index] ?? '', { index, size, path }, sha256);
        expect(root).toBe(treeRoot(hashes, sha256));
      }),
    );
  });

  it('leads no other leaf, place or path there', () => {
    fc.assert(
      fc.property(tree, fc.nat(), ([size, index], which) => {
        fc.pre(size > 1);
        const hashes = leaves(size);
        const root = treeRoot(hashes, sha256);
        const path = treePath(hashes, index, sha256);
        const place = { index, size, path };
        const hash = hashes[index] ?? '';
        const swapped = path.with(which % path.length, leafHash('another', sha256));
        expect(rootOfPath(leafHash('another', sha256), place, sha256)).not.toBe(root);
        expect(rootOfPath(hash, { ...place, path: swapped }, sha256)).not.toBe(root);
        expect(rootOfPath(hash, { ...place, path: path.slice(1) }, sha256)).not.toBe(root);
        expect(rootOfPath(hash, { ...place, path: [...path, hash] }, sha256)).not.toBe(root);
        expect(rootOfPath(hash, { ...place, index: (index + 1) % size }, sha256)).not.toBe(root);
      }),
    );
  });

  it('shows no node as a leaf', () => {
    const [left = '', right = ''] = leaves(2);
    expect(nodeHash(left, right, sha256)).not.toBe(leafHash(`${left}${right}`, sha256));
    expect(nodeHash(left, right, sha256)).not.toBe(nodeHash(right, left, sha256));
  });

  it.each([
    ['no index of the tree', { index: 4, size: 4, path: [] }],
    ['a negative index', { index: -1, size: 4, path: [] }],
    ['half an index', { index: 0.5, size: 4, path: [] }],
    ['a path that ends too early', { index: 0, size: 2, path: [] }],
    ['a path that goes on', { index: 0, size: 1, path: ['a'.repeat(64)] }],
    ['a path of no hashes', { index: 0, size: 2, path: ['zz'] }],
  ])('takes no %s', (_, place) => {
    expect(rootOfPath('a'.repeat(64), place, sha256)).toBeUndefined();
  });
});
