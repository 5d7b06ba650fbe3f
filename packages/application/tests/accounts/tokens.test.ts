import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Caller } from '../../src/index.js';
import type { App } from '../app.js';
import { PASSWORD } from '../accounts.js';
import { type Fixture, fixture } from '../fixture.js';
import { MINUTE, HOUR, DAY } from '@slipstream/domain';

const anonymous: Caller = { kind: 'anonymous' };
const NOBODY = { code: 'unauthenticated' };

describe('tokens', () => {
  let made: Fixture;
  let app: App;
  let signIn: Caller;
  beforeEach(async () => {
    made = await fixture();
    ({ app } = made);
    await made.user('ada');
    signIn = await newSignIn();
  });

  const newSignIn = async (): Promise<Caller> => {
    const given = { email: 'ada@example.com', password: PASSWORD };
    return app.authenticate((await app.newSession(anonymous, given)).token);
  };
  const make = async (by: Caller, command: Partial<Parameters<App['newToken']>[1]> = {}) => {
    const { text, token } = await app.newToken(by, { name: 'x', scope: ['*'], ...command });
    return { text, token, caller: await app.authenticate(text) };
  };
  const session = (by = signIn, scope = ['*']) => make(by, { type: 'session', scope });
  const now = () => made.ports.clock.now();
  const idOf = (caller: Caller) => (caller.kind === 'user' ? caller.tokenId : '');

  it('are made for a time to come, by one that has not expired meanwhile', async () => {
    const { caller } = await session();
    const refused = (by: Caller, expiresAt: number | undefined) =>
      expect(app.newToken(by, { name: 'x', scope: ['getOrders'], expiresAt })).rejects;
    await refused(caller, now()).toMatchObject({ code: 'invalid_field' });
    await make(caller, { scope: ['getOrders'], expiresAt: now() + 1 });
    made.ports.clock.advance(HOUR);
    await refused(caller, undefined).toMatchObject(NOBODY);
  });

  it('of others are revoked by nobody, and answered as ones that do not exist', async () => {
    const other = await made.user('other');
    const { token, text } = await make(signIn);
    for (const tokenId of [token.id, 'none']) {
      await expect(app.deleteToken(other, { tokenId })).rejects.toMatchObject({
        code: 'not_found',
      });
    }
    await expect(app.authenticate(text)).resolves.toBeDefined();
  });

  it('are bound to strategies that their owner may see', async () => {
    const other = await made.user('other');
    const [hidden, seen] = [
      await made.strategy(other, { private: true }),
      await made.strategy(other),
    ];
    expect((await make(signIn, { strategyIds: [seen] })).token.strategyIds).toEqual([seen]);
    for (const strategyIds of [[hidden], [seen, hidden], ['none']]) {
      await expect(make(signIn, { strategyIds })).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  describe('a session', () => {
    it('is made by a sign-in, for an hour at most, and ends with it', async () => {
      const { token, text } = await session();
      expect(token).toMatchObject({
        type: 'session',
        expiresAt: now() + HOUR,
        parentId: idOf(signIn),
      });
      const shorter = await make(signIn, { type: 'session', expiresAt: now() + MINUTE });
      expect(shorter.token.expiresAt).toBe(now() + MINUTE);
      const tooLong = { name: 'x', scope: ['*'], type: 'session' as const };
      for (const expiresAt of [now() + HOUR + 1, null]) {
        await expect(app.newToken(signIn, { ...tooLong, expiresAt })).rejects.toMatchObject({
          code: 'invalid_field',
        });
      }
      await app.deleteToken(signIn, { tokenId: idOf(signIn) });
      await expect(app.authenticate(text)).rejects.toMatchObject(NOBODY);
    });

    it('ends no later than its sign-in', async () => {
      made.ports.clock.advance(30 * DAY - MINUTE);
      expect((await session()).token.expiresAt).toBe(now() + MINUTE);
    });

    it('is made only by a sign-in', async () => {
      const [lasting, other] = [await make(signIn), await session()];
      for (const { caller } of [lasting, other]) {
        await expect(session(caller)).rejects.toMatchObject({ code: 'invalid_field' });
      }
    });

    it('with every scope makes lasting tokens that outlive it and the sign-in', async () => {
      const { caller } = await session();
      const { token, text } = await make(caller, { scope: ['newOrder', 'newWithdrawal'] });
      expect(token).toMatchObject({ type: 'api', parentId: null });
      await app.deleteToken(signIn, { tokenId: idOf(signIn) });
      await expect(app.authenticate(text)).resolves.toBeDefined();
    });

    it('that is bound to strategies makes tokens that are bound to them, and end with it', async () => {
      const other = await made.user('other');
      const [mine, also, more] = [
        await made.strategy(other),
        await made.strategy(other),
        await made.strategy(other),
      ];
      const { caller, token: bound } = await make(signIn, {
        type: 'session',
        strategyIds: [mine, also],
      });
      for (const strategyIds of [undefined, [more], [mine, more]]) {
        await expect(make(caller, { strategyIds })).rejects.toMatchObject({
          code: 'invalid_field',
        });
      }
      const { token } = await make(caller, { strategyIds: [mine] });
      expect(token).toMatchObject({ parentId: bound.id, strategyIds: [mine] });
    });

    it('with some scopes makes tokens that end no later', async () => {
      const { caller, token: narrow } = await session(signIn, ['newToken', 'newOrder']);
      const end = narrow.expiresAt ?? 0;
      const lasting = (expiresAt: number | null) =>
        make(caller, { scope: ['newOrder'], expiresAt });
      expect((await lasting(end)).token.expiresAt).toBe(end);
      for (const expiresAt of [end + 1, null]) {
        await expect(lasting(expiresAt)).rejects.toMatchObject({ code: 'invalid_field' });
      }
    });

    it('with some scopes makes tokens that have no more, and end with it', async () => {
      const { caller, token: narrow } = await session(signIn, ['newToken', 'newOrder']);
      await expect(make(caller, { scope: ['getOrders'] })).rejects.toMatchObject({
        code: 'invalid_field',
      });
      const { token } = await make(caller, { scope: ['newOrder'] });
      expect(token).toMatchObject({ parentId: narrow.id, expiresAt: narrow.expiresAt });
    });

    it('makes room for a newer one when there are a hundred, as a sign-in does', async () => {
      const first = await session();
      for (let count = 0; count < 100; count++) await session();
      await expect(app.authenticate(first.text)).rejects.toMatchObject(NOBODY);
      for (let count = 0; count < 100; count++) await newSignIn();
      const left = await app.getTokens(await newSignIn(), { type: 'refresh' });
      expect(left).toHaveLength(100);
      expect(left.map(({ id }) => id)).not.toContain(idOf(signIn));
    });
  });

  describe('a token made by an api token', () => {
    it('is deleted with it, directly made or not', async () => {
      const parent = await make(signIn);
      const child = await make(parent.caller);
      const grandchild = await make(child.caller, { scope: ['newOrder'] });
      const other = await make(signIn);
      await app.deleteToken(signIn, { tokenId: parent.token.id });
      for (const { text } of [parent, child, grandchild])
        await expect(app.authenticate(text)).rejects.toMatchObject(NOBODY);
      await expect(app.authenticate(other.text)).resolves.toBeDefined();
    });

    it('has no more rights: * does not include operations that must be named', async () => {
      const parent = await make(signIn);
      await expect(
        make(parent.caller, { scope: ['newOrder', 'newWithdrawal'] }),
      ).rejects.toMatchObject({ code: 'invalid_field' });
      const named = await make(signIn, { scope: ['*', 'newWithdrawal'] });
      await expect(make(named.caller, { scope: ['newWithdrawal'] })).resolves.toBeDefined();
    });
  });

  describe('the expiry of an api token', () => {
    it('is by default a year after its last use, and null means never', async () => {
      const { token, text } = await make(signIn);
      expect(token).toMatchObject({ expiresAt: now() + 365 * DAY, renewedByUse: true });
      const never = await make(signIn, { expiresAt: null });
      expect(never.token).toMatchObject({ expiresAt: null, renewedByUse: false });
      made.ports.clock.advance(364 * DAY);
      await app.authenticate(text);
      await app.tick();
      made.ports.clock.advance(364 * DAY);
      await expect(app.authenticate(text)).resolves.toBeDefined();
      made.ports.clock.advance(DAY);
      await app.tick();
      made.ports.clock.advance(365 * DAY);
      await expect(app.authenticate(text)).rejects.toMatchObject(NOBODY);
      await expect(app.authenticate(never.text)).resolves.toBeDefined();
    });

    it('is postponed with its children: a child in use keeps its parent', async () => {
      const parent = await make(signIn);
      const child = await make(parent.caller, { scope: ['newOrder'] });
      made.ports.clock.advance(364 * DAY);
      await app.authenticate(child.text);
      await app.tick();
      made.ports.clock.advance(364 * DAY);
      await expect(app.authenticate(child.text)).resolves.toBeDefined();
      await expect(app.authenticate(parent.text)).resolves.toBeDefined();
    });

    it('of a child without its own is its parent’s', async () => {
      const parent = await make(signIn, { expiresAt: now() + DAY });
      const child = await make(parent.caller);
      expect(child.token).toMatchObject({ expiresAt: now() + DAY, renewedByUse: false });
      await expect(make(parent.caller, { expiresAt: null })).rejects.toMatchObject({
        code: 'invalid_field',
      });
    });

    it('removes it within the hour', async () => {
      const { token } = await make(signIn, { expiresAt: now() + DAY });
      made.ports.clock.advance(DAY);
      await app.tick();
      const kept = await made.ports.unitOfWork.read(({ tokens }) => tokens.find(token.id));
      expect(kept).toBeUndefined();
    });
  });

  describe('the last use', () => {
    const lastUsed = async (tokenId: string) =>
      (await app.getTokens(signIn)).find(({ id }) => id === tokenId)?.lastUsedAt;

    it('is shown to the minute, and stored once a minute', async () => {
      const { token, text } = await make(signIn);
      await app.tick();
      const first = now();
      expect(await lastUsed(token.id)).toBe(first);
      made.ports.clock.advance(MINUTE - 1);
      await app.authenticate(text);
      await app.tick();
      expect(await lastUsed(token.id)).toBe(first);
      made.ports.clock.advance(1);
      await app.tick();
      expect(await lastUsed(token.id)).toBe(first + MINUTE - 1);
    });

    it('is stored when the server stops, without an entry in the audit log', async () => {
      const { token, text } = await make(signIn);
      await app.tick();
      made.ports.clock.advance(1000);
      await app.authenticate(text);
      const entries = () => made.ports.unitOfWork.read(({ audit }) => audit.last());
      const before = await entries();
      await app.stop();
      expect(await lastUsed(token.id)).toBe(now());
      expect(await entries()).toEqual(before);
    });
  });

  describe('the list of tokens', () => {
    it('has pages, newest first, optionally of one type, without expired tokens', async () => {
      await make(signIn, { name: 'short', expiresAt: now() + MINUTE });
      made.ports.clock.advance(MINUTE);
      for (const name of ['a', 'b', 'c']) await make(signIn, { name });
      const names = async (command: Parameters<App['getTokens']>[1]) =>
        (await app.getTokens(signIn, command)).map(({ name }) => name);
      expect(await names({ type: 'api' })).toEqual(['c', 'b', 'a', 'all']);
      const [first, second] = await app.getTokens(signIn, { type: 'api', limit: 2 });
      expect([first?.name, second?.name]).toEqual(['c', 'b']);
      expect(await names({ type: 'api', cursor: second?.id })).toEqual(['a', 'all']);
      expect(await names({ cursor: 'unknown' })).toEqual([]);
    });
  });
});
