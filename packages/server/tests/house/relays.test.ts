import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PACKAGES } from '../helpers/repository.js';

const files = readdirSync(PACKAGES)
  .flatMap((name) => ['src', 'tests'].map((part) => join(PACKAGES, name, part)))
  .filter((folder) => existsSync(folder))
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(folder, file)),
  );

/** Takes connections, makes others, and passes on what comes. */
const isRelay = (text: string): boolean => {
  const [, imported = ''] = /import \{([^}]*)\} from 'node:net';/.exec(text) ?? [];
  return (
    /\bconnect\b/.test(imported) &&
    /\bcreateServer\b/.test(imported) &&
    /\.pipe\(|\.on\('data'[^;]*\.write\(/.test(text)
  );
};

describe('a relay of connections', () => {
  it('sends on at once what comes, on both sides: else each part waits up to 40 ms for word that the last one arrived', () => {
    const relays = files.filter((file) => isRelay(readFileSync(file, 'utf8')));
    const late = relays.filter(
      (file) =>
        (
          readFileSync(file, 'utf8').match(
            /\{ noDelay: true \}|, noDelay: true \}|\.\.\.AT_ONCE/g,
          ) ?? []
        ).length < 2,
    );
    expect(relays.length).toBeGreaterThan(4);
    expect(late).toEqual([]);
  });
});
