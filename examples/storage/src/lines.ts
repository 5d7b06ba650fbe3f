import { type FileHandle, open } from 'node:fs/promises';
import { Decimal, decimal } from '@slipstream/domain';
import type { Write } from './records.js';

/** Decimals and maps as JSON can carry them; JSON alone would forget both. */
function encode(this: Record<string, unknown>, key: string): unknown {
  const value = this[key];
  if (value instanceof Decimal) return { $decimal: value.toFixed() };
  if (value instanceof Map) return { $map: [...(value as ReadonlyMap<unknown, unknown>)] };
  return value;
}

function decode(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('$decimal' in value) return decimal(String(value.$decimal));
  if ('$map' in value) return new Map(value.$map as [unknown, unknown][]);
  return value;
}

/** The file that a storage keeps itself in: one commit a line. */
export interface Lines {
  /** Every commit so far, oldest first. */
  readonly commits: readonly (readonly Write[])[];
  /** Durable when it resolves; when it throws, nothing of it is in the file. */
  append(writes: readonly Write[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens the file, made when it is not there. A last line that a crash cut off was never told to anybody: it goes. */
export async function openLines(file: string): Promise<Lines> {
  const handle: FileHandle = await open(file, 'a+', 0o600);
  const bytes = await handle.readFile();
  let length = bytes.lastIndexOf('\n') + 1;
  await handle.truncate(length);
  const lines = bytes.subarray(0, length).toString('utf8').split('\n').slice(0, -1);
  return {
    commits: lines.map((line) => JSON.parse(line, decode) as Write[]),
    async append(writes) {
      const line = Buffer.from(`${JSON.stringify(writes, encode)}\n`);
      try {
        await handle.appendFile(line);
        await handle.sync();
        length += line.length;
      } catch (error) {
        await handle.truncate(length);
        throw error;
      }
    },
    close: () => handle.close(),
  };
}
