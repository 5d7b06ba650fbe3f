// Lets node-gyp use the headers that came with this Node instead of downloading them.
const { existsSync } = require('node:fs');
const { dirname, join } = require('node:path');

const prefix = dirname(dirname(process.execPath));

module.exports = {
  hooks: {
    updateConfig(config) {
      const raw = config.rawConfig;
      if (raw && !raw.nodedir && existsSync(join(prefix, 'include/node/node.h')))
        raw.nodedir = prefix;
      return config;
    },
  },
};
