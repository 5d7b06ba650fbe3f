import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MODULE = `
import { readFileSync } from 'node:fs';
const own = Date.now;
const now = () => own() + Number(readFileSync(process.env.SHIFTED_BY, 'utf8') || 0);
globalThis.Date = class extends Date {
  static now = now;
  constructor(...given) { super(...(given.length > 0 ? given : [now()])); }
};`;

/** The clock of a program that is started with this environment: the time of day of the machine until it is shifted. */
export function shiftedClock(folder: string): {
  readonly environment: Readonly<Record<string, string>>;
  /** From now on it is so many milliseconds ahead. How much time goes by stays true. */
  shift(milliseconds: number): void;
} {
  const file = join(folder, 'shifted-by');
  const shift = (milliseconds: number): void => writeFileSync(file, String(milliseconds));
  shift(0);
  return {
    environment: {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(MODULE)}`,
      SHIFTED_BY: file,
    },
    shift,
  };
}
