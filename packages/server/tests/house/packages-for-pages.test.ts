import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { PACKAGES } from '../helpers/repository.js';

describe('a built package without anything of Node, which a page can have', () => {
  it.each(['domain', 'ports', 'application', 'wire', 'client', 'report'])('is %s', async (name) => {
    const { errors } = await build({
      entryPoints: [join(PACKAGES, name, 'dist/index.js')],
      ...{ bundle: true, write: false, format: 'esm', platform: 'browser', logLevel: 'silent' },
    }).catch((error: unknown) => error as { errors: readonly { readonly text: string }[] });
    expect(errors.map(({ text }) => text)).toEqual([]);
  });
});
