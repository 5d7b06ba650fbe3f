import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const built = new URL('../dist/index.js', import.meta.url);

/** The text of the first fenced block of that language. */
const block = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(readme)?.[1] ?? '';

/** Runs the program as a host of its own: plain Node, the built package, nothing of this repository's tools. */
async function run(program: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'slipstream-domain-'));
  try {
    const file = join(folder, 'host.mjs');
    writeFileSync(file, program.replaceAll(`'@slipstream/domain'`, `'${built.href}'`));
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the example of the README', () => {
  it('needs this package alone', () => {
    const imported = [...block('js').matchAll(/from '([^']+)'/g)].map(([, name]) => name);
    expect(imported).toEqual(['@slipstream/domain']);
  });

  it('prints what the README says, as a plain Node program', async () => {
    // The test command builds first; a file alone can be tested without.
    if (!existsSync(built)) throw new Error('packages/domain is not built: run tsc -b first');
    expect(await run(block('js'))).toBe(block('text'));
  });
});
