import { readFile } from 'node:fs/promises';
import { Refusal } from '@slipstream/domain';

/** Of a folder in place of a file: the error of the system (EISDIR) does not name it. */
export const folderRefused = (folder: string): Refusal =>
  new Refusal('invalid_field', `${folder} is a folder: name a file`);

/** The text of a file that somebody named, without a byte order mark. A folder is refused by its name. */
export async function textOf(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EISDIR' ? folderRefused(file) : error;
  }
}
