import { closeSync, openSync, writeSync } from 'node:fs';
import { writingSync } from '../../settings/writing.js';

const FLUSHED = 1 << 16;

/** A text file that is written as its lines come, each with its end. */
export class LineFile {
  private readonly handle: number;
  private text = '';

  constructor(
    private readonly path: string,
    header: string,
  ) {
    this.handle = openSync(path, 'w');
    this.add(header);
  }

  add(line: string): void {
    this.text += line;
    if (this.text.length >= FLUSHED) this.flush();
  }

  private flush(): void {
    const bytes = Buffer.from(this.text);
    for (let done = 0; done < bytes.length;)
      done += writingSync(this.path, () => writeSync(this.handle, bytes, done));
    this.text = '';
  }

  close(): void {
    this.flush();
    closeSync(this.handle);
  }
}
