import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isFolder, isThere } from '../settings/is-there.js';

const OF_LOADING =
  /^ERR_(UNKNOWN_FILE_EXTENSION|UNSUPPORTED_DIR_IMPORT|IMPORT_\w+|MODULE_NOT_FOUND)$/;

/** Node does not load it, and says why; other errors are the module's own. */
const isOfLoading = (error: unknown): error is Error => {
  const { name, code = '' } = error as NodeJS.ErrnoException;
  return name === 'SyntaxError' || OF_LOADING.test(code);
};

/** Loads a module of the user's. `refused` makes the error of a file that is missing, or is no module. */
export async function loadModule(
  file: string,
  refused: (reason: string) => Error,
): Promise<Readonly<Record<string, unknown>>> {
  const path = resolve(file);
  if (!isThere(path)) throw refused('there is no such file');
  if (isFolder(path)) throw refused('it is a folder: name a file');
  try {
    return (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (isOfLoading(error)) throw refused(`it cannot be loaded as a module: ${error.message}`);
    throw error;
  }
}
