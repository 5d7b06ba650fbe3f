// Lets node-gyp use the headers that came with this Node instead of downloading them, and has SQLite compiled from the
// package's own source: its install script would take an unsigned binary from elsewhere where there is a network.
const { existsSync } = require('node:fs');
const { dirname, join } = require('node:path');

const prefix = dirname(dirname(process.execPath));

module.exports = {
  hooks: {
    updateConfig(config) {
      const raw = config.rawConfig;
      if (raw && !raw.nodedir && existsSync(join(prefix, 'include/node/node.h')))
        raw.nodedir = prefix;
      if (raw) raw['build-from-source'] = 'better-sqlite3';
      return config;
    },
  },
};
