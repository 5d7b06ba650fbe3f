import { describe, expect, it } from '@jest/globals';
import { memoryPorts } from '@slipstream/adapter-memory/testing';
import { Refusal, id } from '@slipstream/domain';
import { aConnection } from '@slipstream/port-contracts';
import fc from 'fast-check';
import { createGuesses } from '../../src/accounts/guesses.js';
import { PASSWORD } from '../accounts.js';
import { fixture } from '../fixture.js';
import { DEFAULT_GUESS_LIMITS, DEFAULT_SETTINGS, type Caller } from '../../src/index.js';

const anonymous: Caller = { kind: 'anonymous' };
const wrong = () => new Refusal('invalid_field', 'wrong');

function world() {
  const ports = memoryPorts();
  return { ports, guesses: createGuesses(ports), again: () => createGuesses(ports) };
}

describe('guesses', () => {
  it('never exceed the limit of any of their names, apart from right ones', async () => {
    const a = fc.record({
      from: fc.constantFrom('one', 'two', 'three'),
      of: fc.constantFrom('ada', 'bob'),
      is: fc.constantFrom('wrong', 'wrong', 'wrong', 'right', 'untried'),
      wait: fc.constantFrom(0, 0, 0, 0, 20_000, 60_000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(a, { maxLength: 60 }), fc.boolean(), async (guessed, atOnce) => {
        const { ports, guesses } = world();
        const windows = new Map<string, { wrong: number; until: number }>();
        const limits = { address: 4, account: 6 };
        const doOne = async ({ from, of, is, wait }: (typeof guessed)[number]) => {
          if (!atOnce) ports.clock.advance(wait);
          const names = [
            { name: `from ${from}`, limit: limits.address, window: 60_000 },
            { name: `of ${of}`, limit: limits.account, window: 60_000 },
          ];
          await guesses
            .attempt(names, async () => {
              await Promise.resolve();
              if (is === 'untried') throw new Error('no room');
              if (is === 'right') return;
              for (const { name, limit } of names) {
                const now = ports.clock.now();
                const kept = windows.get(name);
                const window = kept && kept.until > now ? kept : { wrong: 0, until: now + 60_000 };
                window.wrong += 1;
                windows.set(name, window);
                // A window may have begun with a right guess, but no sooner than a minute ago.
                expect(window.wrong).toBeLessThanOrEqual(2 * limit);
                if (atOnce) expect(window.wrong).toBeLessThanOrEqual(limit);
              }
              throw wrong();
            })
            .catch(() => undefined);
        };
        if (atOnce) await Promise.all(guessed.map(doOne));
        else for (const one of guessed) await doOne(one);
      }),
      { numRuns: 60 },
    );
  });

  it('are counted across a restart, and expire, also when the clock was set back', async () => {
    const { ports, guesses, again } = world();
    const one = [{ name: 'a', limit: 1, window: 60_000 }];
    const guess = (by = guesses) => by.attempt(one, () => Promise.reject(wrong()));
    await expect(guess()).rejects.toMatchObject({ message: 'wrong' });
    await expect(guess(again())).rejects.toMatchObject({ seconds: 60 });
    ports.clock.advance(59_001);
    await expect(guess()).rejects.toMatchObject({ seconds: 1 });
    ports.clock.advance(999);
    await expect(guess()).rejects.toMatchObject({ message: 'wrong' });
    ports.clock.advance(-3_600_000);
    await expect(guess()).rejects.toMatchObject({ message: 'wrong' });
  });

  it('that are right take back themselves alone', async () => {
    const { guesses } = world();
    const two = [{ name: 'a', limit: 2, window: 60_000 }];
    const guess = (outcome: () => Promise<unknown>) => guesses.attempt(two, outcome);
    const bad = () => Promise.reject(wrong());
    await expect(guess(bad)).rejects.toMatchObject({ message: 'wrong' });
    await guess(() => Promise.resolve());
    await expect(guess(bad)).rejects.toMatchObject({ message: 'wrong' });
    await expect(guess(bad)).rejects.toMatchObject({ name: 'TriedTooOften' });
  });

  it('that are right take back nothing of a later count', async () => {
    const { ports, guesses } = world();
    const one = [{ name: 'a', limit: 1, window: 60_000 }];
    let prove = (): void => undefined;
    const slow = guesses.attempt(one, () => new Promise<void>((resolve) => (prove = resolve)));
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    ports.clock.advance(60_000);
    const bad = () => guesses.attempt(one, () => Promise.reject(wrong()));
    await expect(bad()).rejects.toMatchObject({ message: 'wrong' });
    prove();
    await slow;
    await expect(bad()).rejects.toMatchObject({ name: 'TriedTooOften' });
  });

  it('leave nothing in the storage, and no name in plain text', async () => {
    const made = await fixture();
    const { app, ports } = made;
    await made.user('ada');
    const kept = () => ports.unitOfWork.read(({ tallies }) => tallies.expired(Infinity, 10));
    expect(await kept()).toEqual([]);
    const given = { email: 'ada@example.com', password: 'wrong' };
    const from = { action: 'newSession', ip: '198.51.100.7', requestId: null };
    await expect(app.requestedBy(from).newSession(anonymous, given)).rejects.toThrow();
    expect(await kept()).toHaveLength(2);
    expect(JSON.stringify(await kept())).not.toMatch(/ada|198/);
    await ports.unitOfWork.run(({ connections }) =>
      connections.save(aConnection({ expiresAt: ports.clock.now() + 3_600_000 })),
    );
    ports.clock.advance(3_600_000);
    await app.tick();
    expect(await kept()).toEqual([]);
    const connection = ports.unitOfWork.read(({ connections }) =>
      connections.find(id('connection-1')),
    );
    expect(await connection).toBeUndefined();
  });
});

describe('codes of the second factor', () => {
  it('may be wrong ten times per hour, with a right password or not', async () => {
    const { app, ports, user } = await fixture({}, DEFAULT_SETTINGS);
    const ada = await user('ada');
    const { secret } = await app.newTotp(ada, { password: PASSWORD });
    const code = () => `${secret}:${Math.floor(ports.clock.now() / 30_000)}`;
    await app.confirmTotp(ada, { totp: code() });
    const signIn = (totp: string) =>
      app.newSession(anonymous, { email: 'ada@example.com', password: PASSWORD, totp });
    for (let at = 0; at < DEFAULT_GUESS_LIMITS.codes; at += 1) {
      await expect(signIn('wrong')).rejects.toMatchObject({ code: 'unauthenticated' });
      ports.clock.advance(60_000);
    }
    await expect(signIn(code())).rejects.toMatchObject({ name: 'TriedTooOften', seconds: 3000 });
    ports.clock.advance(3_000_000);
    await expect(signIn(code())).resolves.toBeDefined();
  });
});
