// Where the compiled modules of the tests are: below their package, so that Node finds its dependencies.
const { existsSync, readFileSync, readdirSync } = require('node:fs');
const { join, relative, sep } = require('node:path');

const ROOT = join(__dirname, '..', '..');
const CACHE = join('node_modules', '.cache');

/** Our packages by name, each with its folder and its exports. */
const packages = new Map();
for (const parent of ['packages', 'examples'])
  for (const name of readdirSync(join(ROOT, parent))) {
    const folder = join(ROOT, parent, name);
    const manifest = join(folder, 'package.json');
    if (!existsSync(manifest)) continue;
    const { name: exportedAs, exports } = JSON.parse(readFileSync(manifest, 'utf8'));
    packages.set(exportedAs, { folder, exports });
  }

const compiledFolder = (folder) => join(folder, CACHE, 'test-modules');

/** What a source or a file of tests is compiled to; undefined for other files. */
function compiledOf(file) {
  const [parent, name, ...path] = relative(ROOT, file).split(sep);
  if (!/\.tsx?$/.test(file) || !path.length) return undefined;
  return join(compiledFolder(join(ROOT, parent, name)), ...path).replace(/\.tsx?$/, '.js');
}

/** Whether all files of tests share this source: they have their helpers for themselves. */
const isShared = (source) =>
  relative(ROOT, source).split(sep)[2] === 'src' && !/\.test\.tsx?$/.test(source);

const programFolder = join(ROOT, 'packages', 'server', CACHE, 'test-program');

module.exports = { ROOT, packages, compiledFolder, compiledOf, isShared, programFolder };
