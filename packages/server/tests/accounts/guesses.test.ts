import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { argon2Passwords } from '@slipstream/adapter-crypto';
import type { OneTimePasswords, Passwords } from '@slipstream/ports';
import { type OperationName, operations } from '@slipstream/wire';
import { z } from 'zod';
import { type Answer } from '../helpers/call.js';
import { type ComposedServer, OPERATOR_TOKEN, composedServer } from '../helpers/composed-server.js';

const LIMIT = 5;
const password = 'a long password';
const CODE = '000000';

/** Hashes that cost next to nothing, and codes of an app that anybody can work out; both count what is compared. */
function counted() {
  const compared = { passwords: 0, codes: 0 };
  const cheap = argon2Passwords({ memoryCost: 8, timeCost: 1 });
  const passwords: Passwords = {
    ...cheap,
    verify: (hash, given) => {
      compared.passwords += 1;
      return cheap.verify(hash, given);
    },
  };
  const oneTimePasswords: OneTimePasswords = {
    newSecret: () => ({ secret: 'secret', uri: 'otpauth://totp/a' }),
    stepOf: (_secret, code, now) => {
      compared.codes += 1;
      return code === CODE ? Math.floor(now / 30_000) : undefined;
    },
    newRecoveryCode: () => 'recovery',
  };
  return { compared, adapters: { passwords, oneTimePasswords } };
}

let server: ComposedServer;
const counters = counted();
const { compared } = counters;
let users = 0;

beforeAll(async () => {
  server = await composedServer({
    adapters: counters.adapters,
    environment: {
      RATE_LIMITS: `reads=100000,writes=100000,alerts=1000,failures=${LIMIT}`,
      TRUST_PROXY: '1',
      CONNECTION_LIMITS: 'address=20000',
    },
  });
});
afterAll(() => server.close());

/** A user of their own, in a time of their own. */
async function world() {
  users += 1;
  server.clock.advance(3_600_000);
  const name = `ada${users}`;
  const email = `${name}@example.com`;
  await server.ask('newUser', { email, password }, OPERATOR_TOKEN);
  compared.passwords = compared.codes = 0;
  const from = (address: string, operation: OperationName, body: unknown, token?: string) =>
    server.call('POST', `/${operation}`, {
      body,
      headers: { 'X-Forwarded-For': address, 'User-Agent': 'a browser' },
      token,
    });
  const signIn = (address: string, given = password, more = {}) =>
    from(address, 'newSession', { email, password: given, ...more });
  return { name, email, from, signIn };
}

/** Fewer than the connections that the system keeps for a busy server to accept: it resets the others. */
const AT_ONCE = 400;

/** So many requests, hundreds at once. */
async function many(count: number, send: (at: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < count) {
    const from = answers.length;
    const length = Math.min(AT_ONCE, count - from);
    answers.push(...(await Promise.all(Array.from({ length }, (_, at) => send(from + at)))));
  }
  return answers;
}

const tally = (answers: readonly Answer[]): Record<string, number> => {
  const seen: Record<string, number> = {};
  for (const { status } of answers) seen[status] = (seen[status] ?? 0) + 1;
  return seen;
};

describe('1,100 passwords guessed, hundreds at once,', () => {
  it('are checked up to the limit, and do not lock the owner out', async () => {
    const { signIn } = await world();
    const answers = await many(1_100, (at) => signIn('198.51.100.7', `guess ${at}`));
    expect(tally(answers)).toEqual({ 401: LIMIT, 429: 1_100 - LIMIT });
    expect(compared.passwords).toBe(LIMIT);
    for (const { status, headers } of answers)
      if (status === 429) expect(headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
    expect((await signIn('198.51.100.7')).status).toBe(429);
    expect((await signIn('203.0.113.4')).status).toBe(200);
    server.clock.advance(60_000);
    expect((await signIn('198.51.100.7')).status).toBe(200);
  });

  it('count for the account from all places except known devices', async () => {
    const { signIn } = await world();
    expect((await signIn('203.0.113.4')).status).toBe(200);
    compared.passwords = 0;
    const answers = await many(200, (at) => signIn(`2001:db8:${at.toString(16)}::1`, 'wrong'));
    expect(tally(answers)).toEqual({ 401: 2 * LIMIT, 429: 200 - 2 * LIMIT });
    expect(compared.passwords).toBe(2 * LIMIT);
    expect((await signIn('192.0.2.9')).status).toBe(429);
    expect((await signIn('203.0.113.9')).status).toBe(200);
  });

  it('count for the /64 of an IPv6 address, and for unknown e-mail addresses', async () => {
    const { from } = await world();
    const answers = await many(40, (at) =>
      from(`2001:db8::${at}`, 'newSession', { email: `${at}@example.com`, password: 'wrong' }),
    );
    expect(tally(answers)).toEqual({ 401: LIMIT, 429: 40 - LIMIT });
    expect(compared.passwords).toBe(LIMIT);
  });

  it('that are right do not count', async () => {
    const { signIn } = await world();
    for (let at = 0; at < 3 * LIMIT; at += 1)
      expect((await signIn('203.0.113.4')).status).toBe(200);
  });
});

const PROOFS = ['password', 'totp', 'reset_code', 'code'] as const;

/** Every operation that takes something by which an account can be guessed, found by its fields. */
const guessable = (Object.keys(operations) as OperationName[]).flatMap((name) => {
  const { properties = {} } = z.toJSONSchema(operations[name].request, {
    io: 'input',
    unrepresentable: 'any',
  }) as { properties?: object };
  return PROOFS.filter((field) => field in properties).map((field) => [name, field] as const);
});

const payout = {
  token: 'test_bank',
  direction: 'out',
  name: 'Ada',
  city: 'London',
  country: 'UK',
  line_one: '1 Street',
  postal: 'N1',
};

/** What is sent beside the proof; an operation that is missing here was not thought of. */
const BESIDE: Readonly<Record<string, object | null>> = {
  // Sets a password; compares none.
  'newUser password': null,
  'newSession password': {},
  'newSession totp': { password },
  'updatePassword password': { new_password: 'another password' },
  'updatePassword reset_code': { new_password: 'another password' },
  'updateEmail password': { email: 'ada@new.example' },
  'updateEmail totp': { email: 'ada@new.example', password },
  'confirmEmail code': {},
  // The broker's, which compares it. Calls count for the user (connections.test.ts).
  'finishConnection code': null,
  'newTotp password': {},
  'confirmTotp totp': {},
  'deleteTotp password': {},
  'deleteTotp totp': { password },
  'deleteUser password': {},
  'deleteUser totp': { password },
  'newPaymentSource password': payout,
  'newPaymentSource totp': { ...payout, password },
  'newWithdrawal password': { amount: '1' },
  'newWithdrawal totp': { amount: '1', password },
};

describe('every operation with a proof', () => {
  it('is in the table of this test', () => {
    expect(guessable.map((pair) => pair.join(' ')).sort()).toEqual(Object.keys(BESIDE).sort());
  });

  it.each(guessable.filter((pair) => BESIDE[pair.join(' ')] !== null))(
    '%s compares no more of %s than the limit, however many are sent at once',
    async (name, field) => {
      const { name: user, email, from, signIn } = await world();
      const token = await server.user(user);
      if (field === 'totp') {
        await server.ask('newTotp', { password }, token);
        if (name !== 'confirmTotp') await server.ask('confirmTotp', { totp: CODE }, token);
      }
      compared.passwords = compared.codes = 0;
      const beside = BESIDE[`${name} ${field}`];
      const isAnonymous = field === 'reset_code' || field === 'code';
      const guess = (at: number) =>
        from(
          '198.51.100.7',
          name,
          { ...(name === 'newSession' && { email }), ...beside, [field]: `wrong ${at}` },
          isAnonymous ? undefined : token,
        );
      const answers = await many(20, guess);
      expect(tally(answers)).toEqual({
        [name === 'newSession' ? 401 : 400]: LIMIT,
        429: 20 - LIMIT,
      });
      if (field === 'password') expect(compared.passwords).toBe(LIMIT);
      if (field === 'totp') expect(compared.codes).toBe(LIMIT);
      // Elsewhere the account is as it was.
      const more = field === 'totp' && name !== 'confirmTotp' ? { totp: CODE } : {};
      server.clock.advance(30_000);
      expect((await signIn('203.0.113.4', password, more)).status).toBe(200);
    },
  );
});
