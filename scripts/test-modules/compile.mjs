// Compiles every source to a module that Node itself loads, and every file of tests together with its helpers. Every start of the
// tests does this anew (two seconds), so that no module is older than its source.
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { emit, keepsAddress } from './emit.mjs';
import places from './places.cjs';

const { packages, compiledFolder, compiledOf, isShared } = places;
const GLOBALS = join(import.meta.dirname, 'globals.mjs');

/** The source of what a package of ours exports. */
function exportedSource(specifier) {
  const [, name, path = ''] = /^(@[^/]+\/[^/]+)(\/.*)?$/.exec(specifier) ?? [];
  const target = packages.get(name)?.exports?.[`.${path}`]?.default;
  const source = target?.replace(/^\.\/dist\/(.*)\.js$/, 'src/$1.ts');
  return source && join(packages.get(name).folder, source);
}

/** The source behind the name under which the compiler's module would be imported. */
const sourceOf = (file) =>
  ['.ts', '.tsx'].map((end) => file.replace(/\.js$/, end)).find((path) => existsSync(path));

/** Leaves shared modules, and what is not ours, where they are. */
const sharing = (folder) => ({
  name: 'sharing',
  setup({ onResolve, resolve: find }) {
    onResolve({ filter: /^@jest\/globals$/ }, () => ({ path: GLOBALS }));
    onResolve({ filter: /^\./ }, ({ path, resolveDir, kind }) => {
      const source = kind !== 'entry-point' && sourceOf(resolve(resolveDir, path));
      return source && isShared(source) ? { path: compiledOf(source), external: true } : undefined;
    });
    onResolve({ filter: /^[^./]/ }, async ({ path, importer, kind, resolveDir, pluginData }) => {
      if (kind === 'entry-point' || pluginData === sharing) return undefined;
      const source =
        path === '#live-connection'
          ? join(dirname(importer), 'live-connection.ts')
          : exportedSource(path);
      if (source) return { path: compiledOf(source), external: true };
      if (path.startsWith('node:') || importer.startsWith(`${folder}${sep}`))
        return { external: true };
      // A helper of another package finds its dependencies there.
      return {
        path: (await find(path, { kind, resolveDir, pluginData: sharing })).path,
        external: true,
      };
    });
  },
});

const entriesOf = (folder) =>
  ['src', 'tests']
    .map((part) => join(folder, part))
    .filter((path) => existsSync(path))
    .flatMap((path) => readdirSync(path, { recursive: true }).map((name) => join(path, name)))
    .filter((path) => /\.tsx?$/.test(path) && (isShared(path) || /\.test\.tsx?$/.test(path)));

async function compile(folder) {
  const outdir = compiledFolder(folder);
  const { outputFiles } = await build({
    entryPoints: entriesOf(folder),
    outdir,
    outbase: folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: [],
    jsx: 'automatic',
    sourcemap: 'inline',
    sourcesContent: false,
    write: false,
    logLevel: 'error',
    plugins: [
      sharing(folder),
      keepsAddress(/\/(packages|examples)\/[^/]+\/(src|tests)\/.*\.tsx?$/),
    ],
  });
  emit(outdir, [
    ...outputFiles,
    { path: join(outdir, 'package.json'), text: '{ "type": "module" }' },
  ]);
}

/** Compiles everything. */
export async function compileAll() {
  await Promise.all([...packages.values()].map(({ folder }) => compile(folder)));
}

if (process.argv[1] === import.meta.filename) await compileAll();
