/** @jest-config-loader esbuild-register */
import { availableParallelism } from 'node:os';
import type { Config } from 'jest';

/** Each file of tests by itself: Jest compiles and loads every module anew for it. So it notices changes while it watches. */
const isIsolated =
  process.env.ISOLATED === 'on' || process.argv.some((word) => /^--watch/.test(word));

/** Else Node loads modules once for all files of tests. */
const sharedModules = {
  runtime: '<rootDir>/scripts/test-modules/runtime.cjs',
  testEnvironment: '<rootDir>/scripts/test-modules/environment.cjs',
};

const config: Config = {
  rootDir: '.',
  testMatch: [
    '<rootDir>/packages/*/src/**/*.test.ts',
    '<rootDir>/{packages,examples}/*/tests/**/*.test.ts',
  ],
  // More than there are cores: tests wait for servers and browsers, and with one worker a core a sixth of the time was idle.
  maxWorkers: availableParallelism() + 1,
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '^.+\\.tsx?$': ['ts-jest', { useESM: true, tsconfig: '<rootDir>/tsconfig.jest.json' }],
  },
  // A hang shall fail, a slow machine shall not.
  testTimeout: 300_000,
  setupFiles: ['<rootDir>/jest.setup.mjs'],
  moduleNameMapper: {
    '^@slipstream/([^/]+)/(testing|builders)$': '<rootDir>/packages/$1/src/$2/index.ts',
    '^@slipstream/([^/]+)/routes$': '<rootDir>/packages/$1/src/routes.ts',
    '^#live-connection$': '<rootDir>/packages/client/src/live-connection.ts',
    '^@slipstream/([^/]+)$': '<rootDir>/packages/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  ...(isIsolated ? { testEnvironment: 'node' } : sharedModules),
  globalSetup: '<rootDir>/scripts/test-setup.mjs',
  testSequencer: '<rootDir>/scripts/test-sequencer.cjs',
};
export default config;
