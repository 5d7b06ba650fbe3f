import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ComposedServer, composedServer } from '../helpers/composed-server.js';

const ACCOUNT = { email: 'owner@example.com', password: 'correct horse battery' };
const STRATEGY = { type: 'stock', name: 'Momentum' };

describe('an Idempotency-Key of a session', () => {
  let server: ComposedServer;
  beforeAll(async () => {
    server = await composedServer();
    await server.ask('newUser', ACCOUNT);
  });
  afterAll(() => server.close());

  const signIn = async () => (await server.ask('newSession', ACCOUNT)).token;
  const session = async (signedIn: string, scope: readonly string[] = ['*']) =>
    (await server.ask('newToken', { name: 'page', type: 'session', scope }, signedIn)).token;

  /** The id of the strategy that the request makes, or made before. */
  async function made(token: string, key: string): Promise<unknown> {
    const headers = { 'idempotency-key': key };
    const { body } = await server.call('POST', '/newStrategy', { body: STRATEGY, token, headers });
    return (body?.response as { readonly strategy_id?: unknown }).strategy_id;
  }

  it('holds for the next session of the same sign-in: a page that renewed its token asks again for an answer that was lost', async () => {
    const signedIn = await signIn();
    const first = await made(await session(signedIn), 'renewed');
    expect(first).toEqual(expect.any(String));
    expect(await made(await session(signedIn), 'renewed')).toBe(first);
  });

  it('is another one for another sign-in, and for a session of other rights', async () => {
    const signedIn = await signIn();
    const first = await made(await session(signedIn), 'others');
    const narrow = await made(await session(signedIn, ['newStrategy']), 'others');
    const elsewhere = await made(await session(await signIn()), 'others');
    expect(new Set([first, narrow, elsewhere]).size).toBe(3);
  });
});
