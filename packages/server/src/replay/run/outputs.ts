import { closeSync, openSync, writeSync } from 'node:fs';

const FLUSHED = 1 << 16;

/** A text file that is written as its lines come. */
export class LineFile {
  private readonly handle: number;
  private text = '';

  constructor(path: string, header?: string) {
    this.handle = openSync(path, 'w');
    if (header !== undefined) this.add(header);
  }

  add(line: string): void {
    this.text += `${line}\n`;
    if (this.text.length >= FLUSHED) this.flush();
  }

  private flush(): void {
    const bytes = Buffer.from(this.text);
    for (let done = 0; done < bytes.length;) done += writeSync(this.handle, bytes, done);
    this.text = '';
  }

  close(): void {
    this.flush();
    closeSync(this.handle);
  }
}

const cell = (value: string | number | null): string => {
  const text = value === null ? '' : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** A line of a CSV file; null is an empty cell. */
export const csvLine = (cells: readonly (string | number | null)[]): string =>
  cells.map(cell).join(',');
