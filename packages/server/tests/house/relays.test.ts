import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { scripts } from '../helpers/repository.js';

const files = scripts();

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
