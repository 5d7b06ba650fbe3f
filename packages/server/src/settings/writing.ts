/** The system does not name the file of which a write failed, as of a full disk. */
function named(error: unknown, file: string): unknown {
  const { syscall, path } = error as NodeJS.ErrnoException;
  return syscall === undefined || path !== undefined
    ? error
    : Object.assign(error as Error, { path: file });
}

/** Writes a file; an error names it. */
export async function writing<T>(file: string, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw named(error, file);
  }
}

/** The same at once. */
export function writingSync<T>(file: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw named(error, file);
  }
}
