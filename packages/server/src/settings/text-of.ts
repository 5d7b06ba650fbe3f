import { readFile } from 'node:fs/promises';
import { Refusal } from '@slipstream/domain';

/** The text of a file that somebody named, without a byte order mark. A folder is refused by its name, which the error of the system does not have. */
export async function textOf(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EISDIR') throw error;
    throw new Refusal('invalid_field', `${file} is a folder: name a file`);
  }
}
