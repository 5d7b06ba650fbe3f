// Jest's resolver: what is imported from another package is its bundle. Jest loads every module anew for every file of tests, and
// the server has 1,900 of them: loading took longer than testing.
const { existsSync, readFileSync } = require('node:fs');
const { join, sep } = require('node:path');
const { ROOT, folderOf, outsideFolder, ownSource } = require('./places.cjs');

const read = new Map();
/** A JSON file, or nothing; read once. */
function listed(file) {
  if (!read.has(file)) read.set(file, existsSync(file) ? JSON.parse(readFileSync(file)) : {});
  return read.get(file);
}

const isInside = (folder, path) => `${folder}${sep}`.includes(`${sep}${path}${sep}`);

/** Tests beside the sources read the sources; those of the domain share builders with its other tests. */
const readsSources = (folder, name) =>
  isInside(folder, join('packages', name, name === 'domain' ? '' : 'src'));

/** The sources by the names under which packages export them. */
const EXPORTED = { '': 'index.ts', '/testing': 'testing/index.ts', '/routes': 'routes.ts' };
const exportedSource = (path) => {
  if (path === '#live-connection') return join(ROOT, 'packages/client/src/live-connection.ts');
  const [, name, part = ''] = /^@slipstream\/([^/]+)(\/testing|\/routes)?$/.exec(path) ?? [];
  return name && join(ROOT, 'packages', name, 'src', EXPORTED[part]);
};

/** The source that stands for the module which the compiler would make of it. */
const neighbour = (path, folder) => {
  if (!/^\..*\.js$/.test(path) || isInside(folder, 'node_modules')) return undefined;
  const source = join(folder, path.slice(0, -'.js'.length));
  return [`${source}.ts`, `${source}.tsx`].find((file) => existsSync(file));
};

function found(path, options) {
  const file =
    exportedSource(path) ??
    neighbour(path, options.basedir) ??
    options.defaultResolver(path, options);
  const source = ownSource(file);
  if (source && readsSources(options.basedir, source.name)) return file;
  if (source) return listed(join(folderOf(source.name), 'entries.json'))[source.path] ?? file;
  const isImport = options.conditions?.includes('import');
  return (isImport && listed(join(outsideFolder, 'entries.json'))[file]) || file;
}

const known = new Map();
module.exports = (path, options) => {
  const key = [options.conditions?.join(), options.basedir, path].join('\0');
  if (!known.has(key)) known.set(key, found(path, options));
  return known.get(key);
};
