// Jest's transformer: takes the types out of a file of tests or a source that tests read.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { transform, transformSync, version } from 'esbuild';

const SELF = readFileSync(import.meta.filename, 'utf8');

/** As the compiler is told by tsconfig.base.json. */
const options = (path) => ({
  loader: path.endsWith('x') ? 'tsx' : 'ts',
  format: 'esm',
  target: 'node20',
  sourcefile: path,
  sourcemap: 'inline',
  sourcesContent: false,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
});

export default {
  getCacheKey: (text, path) =>
    createHash('sha256')
      .update([SELF, version, process.version, path, text].join('\0'))
      .digest('hex'),
  process: (text, path) => transformSync(text, options(path)),
  processAsync: (text, path) => transform(text, options(path)),
};
