// Jest's runtime with Node's own loader: a module is loaded once for all files of tests of a worker. Jest's own loads every module
// anew for every file, and the server has 1,900 of them: loading, and running what is not yet compiled, took longer than testing.
const { pathToFileURL } = require('node:url');
const { compiledOf } = require('./places.cjs');

/** Jest keeps the tests of a file in it. */
const STATE = /jestAdapterInit/;

module.exports = class {
  requireInternalModule(path) {
    if (STATE.test(path)) {
      delete require.cache[require.resolve(path)];
      delete globalThis[Symbol.for('EVENT_HANDLERS')];
    }
    return require(path);
  }
  requireModule = require;
  unstable_shouldLoadAsEsm = () => true;
  unstable_importModule = (path) => import(pathToFileURL(compiledOf(path) ?? path).href);
  setGlobalsForRuntime = (globals) => Object.assign(globalThis, globals);
  getSourceMaps = () => undefined;
  getAllCoverageInfoCopy = () => undefined;
  enterTestCode = () => undefined;
  leaveTestCode = () => undefined;
  teardown = () => undefined;
};
