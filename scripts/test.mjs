// npm test [-- --changed | jest arguments]: checks types, style and form, and runs every test and prints a closing summary.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { relative } from 'node:path';
import process from 'node:process';
import { runCLI } from 'jest';

// Pages and reports write numbers in the language of their reader: of the tests it is English, whatever this machine speaks.
process.env.LC_ALL = 'C';

const given = process.argv.slice(2);
if (given.includes('--help')) {
  console.log(`npm test                 checks types, style and form, and runs every test
npm test -- <pattern>    only the test files whose path matches
npm test -- --changed    only the tests of what was changed since the last commit`);
  process.exit(0);
}
const isWhole = given.length === 0;
const changed = given.includes('--changed');
const patterns = given.filter((word) => word !== '--changed');

const checks = {
  lint: ['node_modules/oxlint/bin/oxlint'],
  types: ['node_modules/typescript-7/bin/tsc', '-p', '.'],
  pages: ['node_modules/typescript-7/bin/tsc', '-p', 'packages/dashboard'],
  format: ['node_modules/oxfmt/bin/oxfmt', '--check'],
};
/** The checks are programs of Go: with more garbage between two collections lint takes a quarter less CPU time. */
const environment = { GOGC: '300', ...process.env };
const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

async function passes([name, command]) {
  const started = Date.now();
  const child = spawn(process.execPath, command, { stdio: 'inherit', env: environment });
  const [status] = await once(child, 'exit');
  const verdict = status === 0 ? 'ok' : 'failed';
  console.error(`[check] ${name} ${verdict} (${seconds(Date.now() - started)})`);
  return status === 0;
}

// Beside the tests, which leave a tenth of the cores idle.
const checked = Promise.all((isWhole ? Object.entries(checks) : []).map(passes));

const { results } = await runCLI({ _: patterns, $0: 'jest', onlyChanged: changed }, [
  process.cwd(),
]);
const areChecksPassed = !(await checked).includes(false);

const took = ({ perfStats }) => perfStats.end - perfStats.start;
const slowest = results.testResults.toSorted((a, b) => took(b) - took(a)).slice(0, 10);
if (isWhole) console.log('The slowest files:');
for (const file of isWhole ? slowest : [])
  console.log(`  ${seconds(took(file)).padStart(8)}  ${relative('.', file.testFilePath)}`);

const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites } = results;
const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : '';
if (!areChecksPassed) console.log('A check failed: see [check] above.');
console.log(`Tests: ${numPassedTests} passed, ${numFailedTests} failed${skipped}`);
const hasRun = numPassedTests > 0 || changed;
const isGood = areChecksPassed && numFailedTests + numFailedTestSuites === 0 && hasRun;
process.exit(isGood ? 0 : 1);
