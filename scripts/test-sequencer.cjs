// Jest's sequencer: long files of tests start early, so that no worker waits for another one at the end. Jest knows how long a file
// takes after its first run alone, and sorts by size before, which says little: the longest file is one of the shortest.
const { createRequire } = require('node:module');
const { sep } = require('node:path');

const core = createRequire(require.resolve('jest')).resolve('@jest/core');
const { default: Sequencer } = createRequire(core)('@jest/test-sequencer');

/** Those that take long for their size. What measures time comes later: in the first minute the checks run beside the tests. */
const LONG = [
  'server/tests/house/tarballs',
  'simulation/tests/simulation',
  'adapter-sql/tests/contract',
  'adapter-sql/tests/postgres/contract',
  'server/tests/fuzz/fuzz.',
  'server/tests/replay/',
  'simulation/tests/reference',
  'server/tests/program/program',
  'server/tests/program/commands',
  'simulation/tests/node-torture',
  'browser-tests/tests/budgets',
  'simulation/tests/node-stories',
  'browser-tests/tests/account.',
  'simulation/tests/three-nodes',
  'mcp/tests/agents',
  'simulation/tests/',
  'server/tests/operations/',
  'server/tests/program/',
  'server/tests/fronts/',
  'adapter-memory/tests/wrong-storages',
  'tests/broker.contract',
  'tests/wrong-brokers',
].map((path) => path.replaceAll('/', sep));

const rankOf = ({ path }) => {
  const rank = LONG.findIndex((part) => path.includes(part));
  return rank < 0 ? LONG.length : rank;
};

module.exports = class extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => rankOf(one) - rankOf(other));
  }
};
