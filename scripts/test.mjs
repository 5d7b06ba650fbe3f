// npm test [-- jest arguments]: checks types, style and form, then runs every test and prints a closing summary.
import { spawnSync } from 'node:child_process';
import { runCLI } from 'jest';

const only = process.argv.slice(2);
const checks = {
  types: ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.tests.json'],
  lint: ['node_modules/eslint/bin/eslint.js', '.'],
  format: ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'],
};

for (const [name, command] of Object.entries(only.length > 0 ? {} : checks)) {
  const started = Date.now();
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' });
  console.error(
    `[check] ${name} ${status === 0 ? 'ok' : 'failed'} (${((Date.now() - started) / 1000).toFixed(1)} s)`,
  );
  if (status !== 0) process.exit(1);
}

const { results } = await runCLI({ _: only, $0: 'jest' }, [process.cwd()]);
const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites } = results;
const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : '';
console.log(`Tests: ${numPassedTests} passed, ${numFailedTests} failed${skipped}`);
process.exit(numFailedTests + numFailedTestSuites === 0 && numPassedTests > 0 ? 0 : 1);
