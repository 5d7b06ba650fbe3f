/** Hex SHA-256 of a text; the host has one. */
export type Sha256 = (text: string) => string;

/** The hash before the first entry of a chain. */
export const FIRST_HASH = '0'.repeat(64);

/** The number and the hash of an entry; the next entry follows it. */
export interface ChainHead {
  /** 1, 2, 3, … without a gap. */
  readonly seq: number;
  /** Hex SHA-256 of the entry's text. */
  readonly hash: string;
}

/** The head that the first entry follows. */
export const CHAIN_BEGINNING: ChainHead = { seq: 0, hash: FIRST_HASH };

/** An entry of a chain. `text` is hashed: it contains every field but the hash, including the previous hash. */
export interface ChainLink extends ChainHead {
  readonly previousHash: string;
  readonly text: string;
}

/** Why an entry does not follow `head`; undefined when it does. */
export function linkFault(head: ChainHead, link: ChainLink, sha256: Sha256): string | undefined {
  if (link.seq !== head.seq + 1) return `entry ${head.seq + 1} is missing or out of place`;
  if (link.previousHash !== head.hash) return 'it does not follow the entry before';
  return sha256(link.text) === link.hash ? undefined : 'it was changed after it was made';
}
