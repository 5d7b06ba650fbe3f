// Bundles each package for the tests, and the largest packages from outside: one module for what was a hundred. Every start of
// the tests does this anew (two seconds), so that a bundle is never older than its sources.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { Buffer } from 'node:buffer';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import places from './places.cjs';

const { ROOT, OUTSIDE, folderOf, outsideFolder, ownSource, programFolder } = places;
/** What other packages may import: by the manifests' exports and imports. */
const EXPORTED = ['index.ts', 'testing/index.ts', 'routes.ts', 'live-connection.ts'];
const IMPORTED = /(?:from |import\()'(\.[^']+)\.js'/g;

const packages = join(ROOT, 'packages');
const names = readdirSync(packages).filter((name) => existsSync(join(packages, name, 'src')));

const sourcesIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true })
        .filter((path) => /\.tsx?$/.test(path))
        .map((path) => join(folder, path))
    : [];

/** The sources that something outside of their own `src` imports: tests import more than what is exported. */
function entriesOf() {
  const entries = new Map(
    names.map((name) => [
      name,
      new Set(EXPORTED.filter((path) => existsSync(join(packages, name, 'src', path)))),
    ]),
  );
  const folders = names.flatMap((name) =>
    ['src', 'tests'].map((part) => join(packages, name, part)),
  );
  for (const file of [...folders, join(ROOT, 'examples')].flatMap(sourcesIn)) {
    const own = ownSource(file)?.name;
    for (const [, path] of readFileSync(file, 'utf8').matchAll(IMPORTED)) {
      const source = ownSource(`${resolve(dirname(file), path)}.ts`);
      if (source && source.name !== own) entries.get(source.name)?.add(source.path);
    }
  }
  return entries;
}

/** A module keeps the address that it has: it reads files beside it. */
const withAddress = (text, path) =>
  text
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)));

const ADDRESSES = {
  name: 'addresses',
  setup({ onLoad }) {
    onLoad({ filter: /packages\/[^/]+\/src\/.*\.ts$/ }, ({ path }) => ({
      contents: withAddress(readFileSync(path, 'utf8'), path),
      loader: 'ts',
    }));
  },
};

const COMMON = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  write: false,
  logLevel: 'error',
  minifyWhitespace: true,
  minifySyntax: true,
};

/** Written beside and renamed: another start of the tests may read it, and a copied tree may share the file. */
function write(file, contents) {
  if (existsSync(file) && readFileSync(file).equals(Buffer.from(contents))) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, contents);
  renameSync(`${file}.${process.pid}`, file);
}

/** Writes a folder of bundles with the list of what stands for what. */
function keep(folder, outputFiles, entries) {
  for (const { path, contents } of outputFiles) write(path, contents);
  write(join(folder, 'entries.json'), JSON.stringify(entries));
  const made = new Set([...outputFiles.map(({ path }) => basename(path)), 'entries.json']);
  for (const name of readdirSync(folder)) {
    const isOld = !made.has(name) && statSync(join(folder, name)).isFile();
    if (isOld && !/\.\d+$/.test(name)) rmSync(join(folder, name), { force: true });
  }
}

async function bundlePackage(name, sources) {
  const [folder, src] = [folderOf(name), join(packages, name, 'src')];
  const named = [...sources].sort().map((path) => ({
    in: join(src, path),
    out: path.replace(/\.ts$/, '').replaceAll('/', '__'),
  }));
  const { outputFiles } = await build({
    ...COMMON,
    entryPoints: named,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    packages: 'external',
    external: ['#*'],
    splitting: true,
    sourcemap: true,
    plugins: [ADDRESSES],
    jsx: 'automatic',
  });
  const entries = named.map(({ in: file, out }) => [
    relative(src, file),
    join(folder, `${out}.mjs`),
  ]);
  keep(folder, outputFiles, Object.fromEntries(entries));
}

/** The file that an import of a package from outside loads, from whichever package of ours depends on it. */
async function outsideFile(name) {
  for (const own of names) {
    const manifest = join(packages, own, 'package.json');
    const { dependencies, devDependencies } = JSON.parse(readFileSync(manifest, 'utf8'));
    if (!(name in { ...dependencies, ...devDependencies })) continue;
    const { metafile } = await build({
      ...COMMON,
      stdin: { contents: `export * from '${name}'`, resolveDir: dirname(manifest) },
      metafile: true,
    });
    const [{ path }] = metafile.inputs['<stdin>'].imports;
    return { file: resolve(path), isCommonJs: metafile.inputs[path].format === 'cjs' };
  }
  throw new Error(`no package depends on ${name}: take it out of scripts/test-bundles/places.cjs`);
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** How a package from outside is bundled: of a CommonJS module, each property can be imported by its name as well. */
async function entryOf({ file, isCommonJs }) {
  if (!isCommonJs) return { entryPoints: [file] };
  const { default: all } = await import(pathToFileURL(file).href);
  const names = Object.keys(all).filter((name) => IDENTIFIER.test(name) && name !== 'default');
  const contents = `export { ${['default', ...names].join()} } from ${JSON.stringify(file)}`;
  return { stdin: { contents, resolveDir: dirname(file) } };
}

/** CommonJS modules in the bundle require what is Node's. */
const requireOf = ({ file }) =>
  `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(${JSON.stringify(file)});`;

async function bundleOutside() {
  const list = join(outsideFolder, 'entries.json');
  // The folder of a package from outside is named by its version.
  const kept = existsSync(list) ? Object.entries(JSON.parse(readFileSync(list, 'utf8'))) : [];
  const isThere = ([file, bundle]) => existsSync(file) && existsSync(bundle);
  if (kept.length === OUTSIDE.length && kept.every(isThere)) return;
  const made = await Promise.all(
    OUTSIDE.map(async (name) => {
      const outside = await outsideFile(name);
      const out = join(outsideFolder, `${name}.mjs`);
      const { outputFiles } = await build({
        ...COMMON,
        ...(await entryOf(outside)),
        outfile: out,
        external: ['reflect-metadata'],
        banner: { js: requireOf(outside) },
      });
      return { outputFiles, entry: [outside.file, out] };
    }),
  );
  const files = made.flatMap(({ outputFiles }) => outputFiles);
  keep(outsideFolder, files, Object.fromEntries(made.map(({ entry }) => entry)));
}

/** Node itself loads these from where they are: binaries, and what is loaded only where it is asked for. */
const NOT_BUNDLED = /^(@node-rs\/argon2|better-sqlite3(-napi)?|ccxt|pg-native)$/;

/** The program as it was built, with its threads and its pages where they are. */
const BUILT = {
  name: 'built',
  setup({ onLoad, onResolve, resolve: find }) {
    onResolve({ filter: NOT_BUNDLED }, async ({ path, kind, resolveDir, pluginData }) => {
      if (pluginData === BUILT) return undefined;
      const found = await find(path, { kind, resolveDir, pluginData: BUILT });
      return { path: found.path || path, external: true };
    });
    onLoad({ filter: /packages\/[^/]+\/dist\/.*\.js$/ }, ({ path }) => ({
      contents: withAddress(readFileSync(path, 'utf8'), path),
      loader: 'js',
    }));
  },
};

/** The built program in a few files: a process that reads its 2,500 modules takes twice as long to start. */
async function bundleProgram() {
  const main = join(packages, 'server', 'dist', 'main.js');
  if (!existsSync(main)) return;
  const { outputFiles } = await build({
    ...COMMON,
    entryPoints: [main],
    outdir: programFolder,
    outExtension: { '.js': '.mjs' },
    banner: { js: requireOf({ file: main }) },
    splitting: true,
    plugins: [BUILT],
  });
  keep(programFolder, outputFiles, {});
}

/** Bundles everything. */
export async function bundleAll() {
  const entries = [...entriesOf()].filter(([, sources]) => sources.size > 0);
  await Promise.all([
    bundleOutside(),
    bundleProgram(),
    ...entries.map(([name, sources]) => bundlePackage(name, sources)),
  ]);
}

if (process.argv[1] === import.meta.filename) await bundleAll();
