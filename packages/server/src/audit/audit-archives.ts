import {
  type KeyObject,
  createHash,
  createPrivateKey,
  createPublicKey,
  sign,
  verify,
} from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { type AuditEntry, type ChainHead, Refusal } from '@slipstream/domain';
import type { SecretBox } from '@slipstream/ports';
import { writing } from '../settings/writing.js';
import { entryOf, lineOf } from './audit-lines.js';

const FORMAT = 'slipstream audit archive 1';
const NAME = /^audit-(\d{12})-(\d{12})\.jsonl\.gz$/;
const ENTRIES_AT_ONCE = 500;

/** The folder of a database's archives. */
export const archivesOf = (databaseFile: string): string => {
  const file = resolve(databaseFile);
  return join(dirname(file), `${basename(file)}-audit`);
};

export interface ArchiveFile {
  readonly path: string;
  readonly first: number;
  readonly last: number;
}

/** The complete archives of a folder, oldest first. */
export async function archiveFiles(folder: string): Promise<ArchiveFile[]> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  return names
    .flatMap((name) => {
      const [, first, last] = NAME.exec(name) ?? [];
      return first === undefined
        ? []
        : [{ path: join(folder, name), first: Number(first), last: Number(last) }];
    })
    .sort((one, other) => one.first - other.first || one.last - other.last);
}

/** The last line of an archive. */
export interface Seal {
  readonly first: number;
  readonly last: number;
  readonly prevHash: string;
  readonly hash: string;
  /** Hex of the key that signed it. */
  readonly publicKey: string;
  readonly signature: string;
}

const signed = ({ first, last, prevHash, hash }: Omit<Seal, 'publicKey' | 'signature'>): Buffer =>
  Buffer.from([FORMAT, first, last, prevHash, hash].join('\n'));

/** The prefixes of RFC 8410 before the 32 bytes of a private and of a public key. */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** The key that signs archives is derived from the master key, so it is not stored. */
export function signingKey(secretBox: Pick<SecretBox, 'mac'>): KeyObject {
  const seed = createHash('sha256').update(secretBox.mac('ed25519', FORMAT)).digest();
  return createPrivateKey({
    key: Buffer.concat([PRIVATE_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  });
}

const publicHex = (key: KeyObject): string =>
  createPublicKey(key)
    .export({ format: 'der', type: 'spki' })
    .subarray(PUBLIC_PREFIX.length)
    .toString('hex');

/** Whether the signature was made with the key that the archive names. */
export function isSigned(seal: Seal): boolean {
  const { publicKey, signature } = seal;
  if (!/^[\da-f]{64}$/.test(publicKey) || !/^[\da-f]{128}$/.test(signature)) return false;
  const der = Buffer.concat([PUBLIC_PREFIX, Buffer.from(publicKey, 'hex')]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return verify(null, signed(seal), key, Buffer.from(signature, 'hex'));
}

const sealLineOf = ({ first, last, prevHash, hash, publicKey, signature }: Seal): string =>
  JSON.stringify({
    archive: FORMAT,
    first,
    last,
    hash,
    prev_hash: prevHash,
    public_key: publicKey,
    signature,
  });

function sealOf(line: Readonly<Record<string, unknown>>): Seal {
  const text = (name: string): string => String(line[name]);
  return {
    first: Number(line['first']),
    last: Number(line['last']),
    prevHash: text('prev_hash'),
    hash: text('hash'),
    publicKey: text('public_key'),
    signature: text('signature'),
  };
}

const strange = (line: number): Error => new Error(`line ${line} is not what was written there`);

/**
 * Reads an archive piece by piece. The seal comes last, and is missing if the file is incomplete. Every line must be exactly the
 * text that an archive has there, because hashes and signature do not show an inserted field or line.
 */
export async function* readArchive(
  path: string,
): AsyncGenerator<{ readonly entries: AuditEntry[] } | { readonly seal: Seal }> {
  let entries: AuditEntry[] = [];
  let seal: Seal | undefined;
  let number = 0;
  try {
    for await (const text of linesOf(path)) {
      number += 1;
      if (seal) throw strange(number);
      const line = JSON.parse(text) as Readonly<Record<string, unknown>>;
      const read = line['archive'] === FORMAT ? { seal: sealOf(line) } : { entry: entryOf(line) };
      const written = 'seal' in read ? sealLineOf(read.seal) : lineOf(read.entry);
      if (text !== written) throw strange(number);
      if ('seal' in read) seal = read.seal;
      else entries.push(read.entry);
      if (entries.length < ENTRIES_AT_ONCE) continue;
      yield { entries };
      entries = [];
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal('invalid_field', `${path} cannot be read: ${reason}`);
  }
  if (entries.length > 0) yield { entries };
  if (seal) yield { seal };
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const file = createReadStream(path);
  const text = createGunzip();
  file.on('error', (error) => text.destroy(error));
  yield* createInterface({ input: file.pipe(text) });
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const number = (seq: number): string => String(seq).padStart(12, '0');

/**
 * Writes the entries after `after`, up to `upTo`, into an archive. The archive gets its name once it is complete and on the disk. One
 * that cannot be completed leaves nothing: it would take the last room of a full disk.
 */
export async function writeArchive(
  folder: string,
  after: ChainHead,
  upTo: ChainHead,
  pages: AsyncIterable<readonly AuditEntry[]>,
  key: KeyObject,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const first = after.seq + 1;
  const path = join(folder, `audit-${number(first)}-${number(upTo.seq)}.jsonl.gz`);
  const partial = `${path}.partial`;
  const seal = { first, last: upTo.seq, prevHash: after.hash, hash: upTo.hash };
  async function* lines() {
    for await (const page of pages) yield page.map((entry) => `${lineOf(entry)}\n`).join('');
    const signature = sign(null, signed(seal), key).toString('hex');
    yield `${sealLineOf({ ...seal, publicKey: publicHex(key), signature })}\n`;
  }
  await rm(partial, { force: true });
  const file = createWriteStream(partial, { mode: 0o600 });
  try {
    await writing(path, pipeline(Readable.from(lines()), createGzip(), file));
    await sync(partial);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined);
    throw error;
  }
  await sync(folder);
}
