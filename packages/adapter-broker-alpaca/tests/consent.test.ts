import { describe, expect, it } from '@jest/globals';
import { BrokerRefused, BrokerUnreachable } from '@slipstream/ports';
import { type AlpacaOAuthClient, LIVE, PAPER, alpacaBroker } from '../src/index.js';
import { instrumentsOf } from './fixture.js';

const CLIENT: AlpacaOAuthClient = { id: 'client-1', secret: 'canary-client-secret' };
const ASKED = {
  state: 'slipc_state',
  verifier: 'slipc_verifier-of-more-than-forty-three-letters-1',
  returnTo: 'https://trade.example.com/connect',
};
const CODE = 'canary-code';

const consentOver = (answer: typeof fetch, kind = PAPER) => {
  const deps = { clock: { now: () => 0 }, instruments: instrumentsOf([]), timeout: 50 };
  const { consent } = alpacaBroker(kind, { ...deps, oauth: CLIENT, fetch: answer });
  if (!consent) throw new Error('no consent');
  return consent;
};
const answering = (status: number, body: unknown) =>
  consentOver(
    async () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status }),
  );
const GRANTED = {
  access_token: 'canary-access-token-1',
  token_type: 'Bearer',
  scope: 'account:write trading',
};

describe("access on Alpaca's page", () => {
  it('asks there with everything but secrets', () => {
    const page = new URL(answering(200, GRANTED).page(ASKED));
    expect(`${page.origin}${page.pathname}`).toBe('https://app.alpaca.markets/oauth/authorize');
    expect(Object.fromEntries(page.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'client-1',
      redirect_uri: ASKED.returnTo,
      state: ASKED.state,
      scope: 'trading',
      env: 'paper',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(page.href).not.toContain(CLIENT.secret);
    expect(page.href).not.toContain(ASKED.verifier);
  });

  // docs.alpaca.markets, "Using OAuth2 and Trading API": without `env` the user is asked for a live and a paper account.
  it.each([
    [PAPER, 'paper'],
    [LIVE, 'live'],
  ])('asks for an account of the kind of $name alone', (kind, env) => {
    const page = new URL(consentOver(async () => new Response(), kind).page(ASKED));
    expect(page.searchParams.get('env')).toBe(env);
  });

  // There: `account:write` is write access to the configuration of the account and to watchlists.
  it('asks for no right that no request of ours needs', () => {
    const page = new URL(answering(200, GRANTED).page(ASKED));
    expect(page.searchParams.get('scope')?.split(' ')).toEqual(['trading']);
  });

  it('exchanges the code where tokens are given, and follows no redirect', async () => {
    const sent: { url: string; init: RequestInit | undefined }[] = [];
    const consent = consentOver(async (url, init) => {
      sent.push({ url: String(url), init });
      return new Response(JSON.stringify(GRANTED));
    });
    expect(await consent.redeem(CODE, ASKED)).toEqual({ access_token: GRANTED.access_token });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.url).toBe('https://api.alpaca.markets/oauth/token');
    expect(sent[0]?.init).toMatchObject({ method: 'POST', redirect: 'error' });
    expect(Object.fromEntries(new URLSearchParams(String(sent[0]?.init?.body)))).toEqual({
      grant_type: 'authorization_code',
      code: CODE,
      client_id: 'client-1',
      client_secret: CLIENT.secret,
      redirect_uri: ASKED.returnTo,
      code_verifier: ASKED.verifier,
    });
  });

  const silent: typeof fetch = (_, init) =>
    new Promise((_answer, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new Error(String(init.body))));
    });
  const broken: typeof fetch = async (_, init) => {
    throw new TypeError(`fetch failed: ${String(init?.body)}`);
  };
  it.each([
    ['no answer in time', consentOver(silent), BrokerUnreachable],
    ['a broken connection', consentOver(broken), BrokerUnreachable],
    ['a fault of the venue', answering(503, CODE), BrokerUnreachable],
    ['text that is no JSON', answering(200, `<html>${CODE}`), BrokerUnreachable],
    ['an answer without a token', answering(200, {}), BrokerUnreachable],
    [
      'a token of another kind',
      answering(200, { ...GRANTED, token_type: 'mac' }),
      BrokerUnreachable,
    ],
    [
      'a token with a line break',
      answering(200, { ...GRANTED, access_token: 'a\nb'.repeat(9) }),
      BrokerUnreachable,
    ],
    [
      'less access than a bot needs',
      answering(200, { ...GRANTED, scope: 'account:write' }),
      BrokerRefused,
    ],
    [
      'a code that is not good',
      answering(400, { error: 'invalid_grant', of: CODE }),
      BrokerRefused,
    ],
    ['a client that is not known', answering(401, { error: 'invalid_client' }), BrokerRefused],
  ])(
    'repeats neither the code nor a secret when the exchange fails: %s',
    async (_, consent, kind) => {
      const failure: unknown = await consent.redeem(CODE, ASKED).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(kind);
      const { message, stack, cause } = failure as Error;
      expect(`${message} ${stack ?? ''} ${String(cause)}`).not.toMatch(/canary|slipc_verifier/);
    },
  );
});
