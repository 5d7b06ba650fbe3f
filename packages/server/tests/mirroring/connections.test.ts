import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type AlpacaAccount,
  type AlpacaOAuthStandIn,
  type AlpacaStandIn,
  type Listening,
  alpacaOAuth,
  alpacaStandIn,
  listen,
} from '@slipstream/stand-ins';
import { type FixedClock, fixedClock } from '@slipstream/adapter-memory/testing';
import type { Log } from '@slipstream/ports';
import { type Answer } from '../helpers/call.js';
import { type ComposedServer, IN_SESSION, composedServer } from '../helpers/composed-server.js';

const SECRET = 'canary-secret-of-the-client';
const MINUTE = 60_000;

interface Side {
  readonly standIn: AlpacaStandIn;
  readonly listening: Listening;
  account(number: string): AlpacaAccount;
}

async function side(clock: FixedClock, prefix: string): Promise<Side> {
  const standIn = alpacaStandIn({ now: clock.now });
  standIn.addAsset({ symbol: 'AAPL', bid: '199.9', ask: '200.1' });
  const account = (number: string) =>
    standIn.addAccount({
      number,
      keyId: `${prefix}${number}`,
      secretKey: `secret of ${number}`,
      cash: '10000',
    });
  return { standIn, account, listening: await listen(standIn.venue) };
}

describe("connecting an account on the broker's page", () => {
  let clock: FixedClock;
  let server: ComposedServer;
  let [paper, live]: Side[] = [];
  let oauth: AlpacaOAuthStandIn;
  let oauthListening: Listening;
  let logged: string[];
  let ada: string;
  let bob: string;

  beforeEach(async () => {
    clock = fixedClock(IN_SESSION);
    [paper, live] = [await side(clock, 'PK'), await side(clock, 'AK')];
    const redirects: string[] = [];
    oauth = alpacaOAuth({
      now: clock.now,
      clientId: 'client-of-tests',
      clientSecret: SECRET,
      redirects,
    });
    oauthListening = await listen(oauth.venue);
    logged = [];
    const add = (fields: object, message: string) =>
      void logged.push(`${JSON.stringify(fields)} ${message}`);
    const log: Log = { info: add, warn: add, error: add };
    server = await composedServer({
      clock,
      log,
      environment: {
        BROKERS: 'simulated,alpaca_paper,alpaca',
        LIVE_TRADING: 'on',
        ALPACA_PAPER_URL: paper.listening.url,
        ALPACA_LIVE_URL: live.listening.url,
        ALPACA_OAUTH_CLIENT_ID: 'client-of-tests',
        ALPACA_OAUTH_CLIENT_SECRET: SECRET,
        ALPACA_OAUTH_URL: oauthListening.url,
      },
    });
    redirects.push(`${server.url}/connect`);
    [ada, bob] = [await server.user('ada'), await server.user('bob')];
  });
  afterEach(async () => {
    await server.close();
    await paper?.listening.close();
    await live?.listening.close();
    await oauthListening.close();
  });

  const accountOf = (number: string): AlpacaAccount => {
    const found = number.startsWith('PA') ? paper : live;
    if (!found) throw new Error('not open');
    return found.account(number);
  };

  /** The user opens the broker's page as the owner of these accounts, and comes back with this. */
  async function allowed(token: string, accounts: readonly AlpacaAccount[], broker: string) {
    const { url } = await server.ask('newConnection', { broker }, token);
    oauth.signIn(...accounts);
    const { headers } = await fetch(url, { redirect: 'manual' });
    const back = new URL(headers.get('location') ?? '');
    const [code, state] = [back.searchParams.get('code'), back.searchParams.get('state')];
    return { back, given: { code: code ?? 'none', state: state ?? 'none' } };
  }
  const finish = (given: Readonly<Record<string, unknown>>, token: string) =>
    server.attempt('finishConnection', given, token);
  const newBot = (credentials: object, token: string, broker = 'alpaca_paper') =>
    server.attempt('newBot', { type: 'stock', broker, allocations: [], credentials }, token);
  const refused = ({ status, body }: Answer, text: string): void => {
    expect([status, body]).toEqual([
      400,
      { success: false, response: expect.stringContaining(text) },
    ]);
  };
  const TOO_OLD = 'is wrong, used or too old';
  const connected = async (token: string, number = 'PA3ADA000001', broker = 'alpaca_paper') => {
    const { given } = await allowed(token, [accountOf(number)], broker);
    return server.ask('finishConnection', given, token);
  };

  it('asks on its page, shows the account, and gives the access to one bot', async () => {
    const account = accountOf('PA3ADA000001');
    const { back, given } = await allowed(ada, [account], 'alpaca_paper');
    expect(`${back.origin}${back.pathname}`).toBe(`${server.url}/connect`);
    const page = await server.call('GET', `${back.pathname}${back.search}`);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain(given.code);
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );

    const connection = await server.ask('finishConnection', given, ada);
    expect(connection).toMatchObject({
      broker: 'alpaca_paper',
      account_id: 'PA3ADA000001',
      label: 'Alpaca paper account PA3ADA000001',
      live: false,
    });
    const { connection_id } = connection;
    const preview = await server.ask(
      'previewBot',
      {
        type: 'stock',
        broker: 'alpaca_paper',
        allocations: [],
        credentials: { connection_id },
      },
      ada,
    );
    expect(preview.account).toMatchObject({ equity: '10000', label: connection.label });
    const made = await newBot({ connection_id }, ada);
    expect(made.body?.response).toMatchObject({ account_id: 'PA3ADA000001', live: false });
    refused(await newBot({ connection_id }, ada), TOO_OLD);
    expect(paper?.standIn.log.every(({ keyKind }) => keyKind === 'token')).toBe(true);

    const known = [...account.accessTokens, given.code, given.state, SECRET];
    const all = logged.join('\n');
    expect(known.filter((secret) => all.includes(secret))).toEqual([]);
    expect(all).toContain('"path":"/connect"');
  });

  it('reaches the bot as a key would, until the access is taken back', async () => {
    const account = accountOf('PA3ADA000001');
    const { given } = await allowed(ada, [account], 'alpaca_paper');
    const { connection_id } = await server.ask('finishConnection', given, ada);
    const { strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'Half' }, bob);
    await server.ask('newStrategySubscription', { strategy_id }, ada);
    const { bot_id } = await server.ask(
      'newBot',
      {
        type: 'stock',
        broker: 'alpaca_paper',
        allocations: [{ strategy_id, percent: 1 }],
        credentials: { connection_id },
        notifications: ['error'],
      },
      ada,
    );
    await server.ask('startBot', { bot_id }, ada);
    account.accessTokens.clear();
    for (let step = 0; step < 3; step += 1) {
      clock.advance(5_000);
      await server.application.background.runBots();
    }
    const [bot] = await server.ask('getBots', {}, ada);
    expect(bot).toMatchObject({ status: 'error' });
    const [notice] = await server.ask('getNotifications', {}, ada);
    expect(notice?.text).toContain('access');
  });

  it('is finished only with a state of the same user, once and within ten minutes', async () => {
    const { given } = await allowed(ada, [accountOf('PA3ADA000001')], 'alpaca_paper');
    refused(await finish(given, bob), TOO_OLD);
    refused(await finish({ ...given, state: 'slipc_made-up' }, ada), TOO_OLD);
    expect(oauth.exchanges()).toBe(0);
    expect((await finish(given, ada)).status).toBe(200);
    refused(await finish(given, ada), TOO_OLD);
    expect(oauth.exchanges()).toBe(1);

    const late = await allowed(ada, [accountOf('PA3ADA000001')], 'alpaca_paper');
    clock.advance(10 * MINUTE);
    refused(await finish(late.given, ada), TOO_OLD);
    expect(oauth.exchanges()).toBe(1);
  });

  it('is finished once by two calls at once', async () => {
    const { given } = await allowed(ada, [accountOf('PA3ADA000001')], 'alpaca_paper');
    const answers = await Promise.all([finish(given, ada), finish(given, ada)]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 400,
    ]);
    expect(oauth.exchanges()).toBe(1);
  });

  it('does not take a code that somebody else was given, and uses up the state', async () => {
    const theirs = await allowed(bob, [accountOf('PA3BOB000001')], 'alpaca_paper');
    const own = await allowed(ada, [accountOf('PA3ADA000001')], 'alpaca_paper');
    const swapped = { code: theirs.given.code, state: own.given.state };
    refused(await finish(swapped, ada), 'Alpaca does not take the code');
    refused(await finish(own.given, ada), TOO_OLD);
    expect((await newBot({ connection_id: 'x' }, ada)).status).toBe(400);
  });

  it('opens the accounts of the broker that it was begun for', async () => {
    const both = [accountOf('PA3ADA000001'), accountOf('512345678')];
    const { given } = await allowed(ada, both, 'alpaca_paper');
    const { connection_id } = await server.ask('finishConnection', given, ada);
    expect(both.map(({ accessTokens }) => accessTokens.size)).toEqual([1, 0]);
    refused(await newBot({ connection_id }, ada, 'alpaca'), 'is of the broker alpaca_paper');
    expect(live?.standIn.log).toHaveLength(0);

    const liveOne = await allowed(ada, both, 'alpaca');
    expect(await server.ask('finishConnection', liveOne.given, ada)).toMatchObject({
      account_id: '512345678',
      live: true,
    });
    const paperOnly = await allowed(ada, both.slice(0, 1), 'alpaca');
    refused(await finish(paperOnly.given, ada), 'the broker refused access');
  });

  it('belongs to its user, stands alone, and ends after an hour', async () => {
    const { connection_id } = await connected(ada);
    refused(await newBot({ connection_id }, bob), TOO_OLD);
    refused(await newBot({ connection_id, key_id: 'PK' }, ada), 'stands alone');
    refused(await newBot({ access_token: 'canary-access-token-2' }, ada), 'no field');
    clock.advance(60 * MINUTE);
    refused(await newBot({ connection_id }, ada), TOO_OLD);
  });

  it('renews the access of a bot to the same account only', async () => {
    const { connection_id } = await connected(ada);
    const made = await newBot({ connection_id }, ada);
    const { bot_id } = made.body?.response as { bot_id: string };
    const another = await connected(ada, 'PA3ADA000002');
    const renew = (id: string) =>
      server.attempt('updateBot', { bot_id, credentials: { connection_id: id } }, ada);
    refused(await renew(another.connection_id), 'not of PA3ADA000001');
    const same = await connected(ada);
    expect((await renew(same.connection_id)).status).toBe(200);
    refused(await renew(same.connection_id), TOO_OLD);
  });

  it('is refused when the user denies it or allows too little', async () => {
    const denied = await allowed(ada, [], 'alpaca_paper');
    expect(denied.back.searchParams.get('error')).toBe('access_denied');
    oauth.allowOnly('account:write');
    const { given } = await allowed(ada, [accountOf('PA3ADA000001')], 'alpaca_paper');
    refused(await finish(given, ada), 'does not allow trading');
  });

  it.each([
    ['drop_before', 'cannot be reached'],
    ['garbage', 'cannot be reached'],
    ['empty', 'cannot be reached'],
  ] as const)('survives an exchange that is broken: %s', async (kind, text) => {
    const { given } = await allowed(ada, [accountOf('PA3ADA000001')], 'alpaca_paper');
    oauth.faults.add({ method: 'POST', path: '/oauth/token', kind });
    refused(await finish(given, ada), text);
    expect(logged.join('\n')).not.toContain(SECRET);
  });

  it('is begun for brokers with a page of their own, and cannot be tried often', async () => {
    refused(
      await server.attempt('newConnection', { broker: 'simulated' }, ada),
      'is not connected by a page',
    );
    for (let call = 0; call < 10; call += 1) await finish({ code: 'x', state: 'y' }, bob);
    expect((await finish({ code: 'x', state: 'y' }, bob)).status).toBe(429);
  });
});
