// Jest's resolver: what is imported from another package is its bundle. Jest loads every module anew for every file of tests, and
// the server has 1,900 of them: loading took longer than testing.
const { existsSync, readFileSync } = require('node:fs');
const { join, sep } = require('node:path');
const { folderOf, outsideFolder, ownSource } = require('./places.cjs');

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

module.exports = (path, options) => {
  const file = options.defaultResolver(path, options);
  const source = ownSource(file);
  if (source && readsSources(options.basedir, source.name)) return file;
  if (source) return listed(join(folderOf(source.name), 'entries.json'))[source.path] ?? file;
  const isImport = options.conditions?.includes('import');
  return (isImport && listed(join(outsideFolder, 'entries.json'))[file]) || file;
};
