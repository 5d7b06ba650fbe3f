import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { eventBus } from '@slipstream/ports';
import {
  clockContract,
  eventsContract,
  idsContract,
  unitOfWorkContract,
  NOON,
  aStock,
  accessTokensContract,
  fingerprintsContract,
  logContract,
  marketFeedContract,
  oneTimePasswordsContract,
  passwordsContract,
  secretBoxContract,
  tradingHoursContract,
} from '@slipstream/port-contracts';
import { openMemory } from '../src/index.js';
import {
  alwaysOpenHours,
  countingIds,
  fixedClock,
  silentFeed,
  silentLog,
  testSecrets,
} from '../src/testing/index.js';

unitOfWorkContract('memory', { open: async () => openMemory() });
eventsContract('in process', () => eventBus(() => undefined));
clockContract('fixed', () => fixedClock(0));
idsContract('counting', () => countingIds());

describe('the unit of work in memory', () => {
  it.each([
    ['run', 'run'],
    ['run', 'read'],
    ['read', 'run'],
    ['read', 'read'],
  ] as const)('detects at once, inside a %s, a %s', async (outer, inner) => {
    const unitOfWork = openMemory();
    const nested = unitOfWork[outer](async () => unitOfWork[inner](async () => 'inside'));
    await expect(nested).rejects.toThrow('inside another one');
    expect(await unitOfWork.run(async () => 'later')).toBe('later');
  });
});

/** In a process of its own: what it looks at, other tests of this one may have changed. */
const RESTS = `
  import { executionAsyncId } from 'node:async_hooks';
  import { setImmediate } from 'node:timers/promises';
  import { openMemory } from '@slipstream/adapter-memory';
  const areStepsFollowed = async () => {
    await Promise.resolve();
    return executionAsyncId() !== 0;
  };
  for (const storage of [openMemory(), openMemory()]) {
    await storage.run(async () => undefined);
    await storage.read(async () => undefined);
  }
  await setImmediate();
  console.log(await areStepsFollowed());
`;

describe('a unit of work in memory that rests', () => {
  it('lets Node follow no asynchronous step of the process, which would take several times as long', () => {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', RESTS],
      { cwd: import.meta.dirname, encoding: 'utf8' },
    );
    expect({ stdout, stderr }).toEqual({ stdout: 'false\n', stderr: '' });
  });
});

const feed = () => ({ feed: silentFeed(), stocks: [aStock()], pass: async () => undefined });
marketFeedContract('silent', feed);
tradingHoursContract('always open', () => ({
  hours: alwaysOpenHours(),
  stocks: [aStock()],
  from: NOON,
}));
logContract('silent', silentLog);
passwordsContract('of tests', () => testSecrets().passwords);
accessTokensContract('of tests', () => testSecrets().accessTokens);
fingerprintsContract('of tests', () => testSecrets().fingerprints);
secretBoxContract('of tests', () => testSecrets().secretBox);
oneTimePasswordsContract('of tests', () => ({
  passwords: testSecrets().oneTimePasswords,
  codeAt: (secret, now) => `${secret}:${Math.floor(now / 30_000)}`,
}));
