// Bundles the program as it was built: a process that reads its 2,500 modules takes twice as long to start.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { emit, keepsAddress } from './test-modules/emit.mjs';
import places from './test-modules/places.cjs';

const { ROOT, programFolder } = places;

/** Node itself loads these from where they are: binaries, and what is loaded only where it is asked for. */
const NOT_BUNDLED = /^(@node-rs\/argon2|better-sqlite3(-napi)?|ccxt|pg-native)$/;

const OUTSIDE = {
  name: 'outside',
  setup({ onResolve, resolve: find }) {
    onResolve({ filter: NOT_BUNDLED }, async ({ path, kind, resolveDir, pluginData }) => {
      if (pluginData === OUTSIDE) return undefined;
      const found = await find(path, { kind, resolveDir, pluginData: OUTSIDE });
      return { path: found.path || path, external: true };
    });
  },
};

/** Its main file; a test without it starts what was built. */
export const testProgram = join(programFolder, 'main.mjs');

export async function bundleProgram() {
  const main = join(ROOT, 'packages', 'server', 'dist', 'main.js');
  if (!existsSync(main)) return;
  const { outputFiles } = await build({
    entryPoints: [main],
    outdir: programFolder,
    outExtension: { '.js': '.mjs' },
    // CommonJS modules in the bundle require what is Node's.
    banner: {
      js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(${JSON.stringify(main)});`,
    },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    write: false,
    logLevel: 'error',
    minifyWhitespace: true,
    minifySyntax: true,
    // Threads and pages stay where they are.
    plugins: [OUTSIDE, keepsAddress(/packages\/[^/]+\/dist\/.*\.js$/)],
  });
  emit(programFolder, outputFiles);
}

if (process.argv[1] === import.meta.filename) await bundleProgram();
