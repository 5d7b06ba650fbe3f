/** @jest-config-loader esbuild-register */
import { availableParallelism } from 'node:os';
import type { Config } from 'jest';

/** Which tests a change concerns, only the sources tell. */
const readsSources = process.argv.some((word) =>
  /^(--changed|--onlyChanged|-o|--watch)$/.test(word),
);

/** Else the resolver of the bundles does this, and keeps what it found: Jest would look for each of them in every file of tests. */
const moduleNameMapper = {
  '^@slipstream/([^/]+)/testing$': '<rootDir>/packages/$1/src/testing/index.ts',
  '^@slipstream/([^/]+)/routes$': '<rootDir>/packages/$1/src/routes.ts',
  '^#live-connection$': '<rootDir>/packages/client/src/live-connection.ts',
  '^@slipstream/([^/]+)$': '<rootDir>/packages/$1/src/index.ts',
  '^(\\.{1,2}/.*)\\.js$': '$1',
};

const config: Config = {
  rootDir: '.',
  testMatch: [
    '<rootDir>/packages/*/src/**/*.test.ts',
    '<rootDir>/{packages,examples}/*/tests/**/*.test.ts',
  ],
  testEnvironment: 'node',
  // More than there are cores: tests wait for servers and browsers, and with one worker a core a sixth of the time was idle.
  maxWorkers: availableParallelism() + 1,
  // Modules of a finished file are never released: with 3 GB of them a worker mostly collects garbage (412 s became 174 s).
  workerIdleMemoryLimit: '800MB',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '^.+\\.tsx?$': ['ts-jest', { useESM: true, tsconfig: '<rootDir>/tsconfig.jest.json' }],
  },
  // A hang shall fail, a slow machine shall not.
  testTimeout: 120_000,
  setupFiles: ['<rootDir>/jest.setup.ts'],
  ...(readsSources
    ? { moduleNameMapper }
    : { resolver: '<rootDir>/scripts/test-bundles/resolver.cjs' }),
  globalSetup: '<rootDir>/scripts/test-setup.mjs',
  testSequencer: '<rootDir>/scripts/test-sequencer.cjs',
};
export default config;
