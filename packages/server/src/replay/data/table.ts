import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Refusal } from '@slipstream/domain';
import { parse } from 'csv-parse';
import { folderRefused } from '../../settings/text-of.js';

/** The cells of a line. */
export interface TableRow {
  readonly line: number;
  readonly cells: readonly string[];
}

const isZipped = async (file: string): Promise<boolean> => {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
};

/** Bytes that are read at once. */
const AT_ONCE = 1 << 18;

/** The bytes of a file, unzipped if it is gzipped; its errors are refusals that name it. */
async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  try {
    const zipped = await isZipped(file);
    const stream = createReadStream(file, { highWaterMark: AT_ONCE });
    const plain: Readable = zipped
      ? pipeline(stream, createGunzip({ chunkSize: AT_ONCE }), () => undefined)
      : stream;
    for await (const chunk of plain) yield chunk as Buffer;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EISDIR') throw folderRefused(file);
    throw new Refusal('invalid_field', `${file} cannot be read (${code ?? message})`);
  }
}

/** The text of a small file, unzipped if it is gzipped. */
export async function unzippedText(file: string): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytesOf(file)) chunks.push(chunk);
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}

interface Parsed {
  readonly info: { readonly lines: number };
  readonly record: readonly string[];
}

/** The rows of a CSV file in order, some at once as they are read; blank lines are left out. */
export async function* tableRows(file: string): AsyncGenerator<readonly TableRow[]> {
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: false,
  });
  const rows: TableRow[] = [];
  let failure: Error | undefined;
  parser.on('readable', () => {
    for (let one = parser.read() as Parsed | null; one; one = parser.read() as Parsed | null)
      rows.push({ line: one.info.lines, cells: one.record });
  });
  parser.on('error', (error) => (failure = error));
  const requireSound = (): void => {
    if (failure) throw new Refusal('invalid_field', `${file}: ${failure.message}`);
  };
  const ended = new Promise<void>((resolve) =>
    parser.once('end', resolve).once('error', () => resolve()),
  );
  for await (const chunk of bytesOf(file)) {
    requireSound();
    parser.write(chunk);
    yield rows.splice(0);
  }
  parser.end();
  await ended;
  requireSound();
  yield rows;
}

/** All rows of a small CSV file. */
export async function allRows(file: string): Promise<TableRow[]> {
  const all: TableRow[] = [];
  for await (const rows of tableRows(file)) all.push(...rows);
  return all;
}
