import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const here = join(import.meta.dirname, '..');
const root = join(here, '../..');
const readme = readFileSync(join(here, 'README.md'), 'utf8');
const call = promisify(execFile);

/** The text of the first fenced block of that language. */
const block = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(readme)?.[1] ?? '';

const OPTIONS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  target: 'es2023',
  lib: ['es2023'],
  module: 'nodenext',
  types: [],
  skipLibCheck: true,
};

/** Compiles and runs the program as an independent host: plain Node, the built package, none of this repository's settings. */
async function run(program: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'slipstream-domain-'));
  try {
    mkdirSync(join(folder, 'node_modules/@slipstream'), { recursive: true });
    symlinkSync(here, join(folder, 'node_modules/@slipstream/domain'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'host.ts'), program);
    writeFileSync(
      join(folder, 'console.d.ts'),
      'declare const console: { log(text: string): void };',
    );
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: OPTIONS, files: ['host.ts', 'console.d.ts'] }),
    );
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const compiled = call(process.execPath, [tsc, '-p', '.'], { cwd: folder });
    const complaints = await compiled.then(
      () => '',
      (error: unknown) => (error as { stdout: string }).stdout,
    );
    if (complaints) return complaints;
    const { stdout } = await call(process.execPath, ['host.js'], { cwd: folder });
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the example of the README', () => {
  it('needs this package alone', () => {
    const imported = [...block('ts').matchAll(/from '([^']+)'/g)].map(([, name]) => name);
    expect(new Set(imported)).toEqual(new Set(['@slipstream/domain']));
  });

  it('compiles, and prints what the README says, as a plain Node program', async () => {
    // The test command builds first; a single file can be run without a build.
    if (!existsSync(join(here, 'dist/index.js')))
      throw new Error('packages/domain is not built: run tsc -b first');
    expect(await run(block('ts'))).toBe(block('text'));
  });
});
