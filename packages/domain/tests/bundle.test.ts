import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';

/** What a page gets that uses these exports of the built package. */
async function bundled(names: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { ${names} } from './dist/index.js';`,
      resolveDir: join(import.meta.dirname, '..'),
    },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
  });
  return outputFiles[0]?.text ?? '';
}

describe('the domain in a page', () => {
  it('brings no more than is used of it, but for what refuses a second copy', async () => {
    const text = await bundled('decimal');
    expect(text.length).toBeLessThan(10_000);
    expect(text).toContain('two copies');
  });
});
