// Where the bundles of the tests are: beside the dependencies of the package, so that their imports are found.
const { join, relative, sep } = require('node:path');

const ROOT = join(__dirname, '..', '..');
/** Packages from outside that have hundreds of modules each. */
const OUTSIDE = [
  ...['kysely', 'stripe', 'inversify', 'zod', 'nodemailer', 'd3-scale'],
  ...['express', 'ws', 'prom-client', 'supertest'],
];

const folderOf = (name) => join(ROOT, 'packages', name, 'node_modules', '.cache', 'test-bundle');
const outsideFolder = join(ROOT, 'node_modules', '.cache', 'test-bundle');
const programFolder = join(ROOT, 'packages', 'server', 'node_modules', '.cache', 'test-program');

/** The package and the path below its `src` of a file; undefined for others. */
function ownSource(file) {
  const [packages, name, src, ...path] = relative(ROOT, file).split(sep);
  return packages === 'packages' && src === 'src' ? { name, path: path.join('/') } : undefined;
}

module.exports = { ROOT, OUTSIDE, folderOf, outsideFolder, ownSource, programFolder };
