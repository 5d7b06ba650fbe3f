// Lets node-gyp use the headers that came with this Node instead of downloading them, and has SQLite compiled from the
// package's own source: its install script would take an unsigned binary from elsewhere where there is a network. Nodes with
// Node-API 10 do without that package: they use better-sqlite3-napi, which brings its binaries.
const { existsSync } = require('node:fs');
const { dirname, join } = require('node:path');

const prefix = dirname(dirname(process.execPath));

/** The Nodes for which each major of better-sqlite3 is installed; in one that cannot run 13, tests run it by another Node. */
const NODES = { 12: '<22.14 || >=23 <23.6', 13: '>=20' };

module.exports = {
  hooks: {
    readPackage(manifest) {
      const node = NODES[manifest.version?.split('.')[0]];
      if (manifest.name === 'better-sqlite3' && node) manifest.engines = { node };
      return manifest;
    },
    updateConfig(config) {
      const raw = config.rawConfig;
      if (raw && !raw.nodedir && existsSync(join(prefix, 'include/node/node.h')))
        raw.nodedir = prefix;
      if (raw) raw['build-from-source'] = 'better-sqlite3';
      return config;
    },
  },
};
