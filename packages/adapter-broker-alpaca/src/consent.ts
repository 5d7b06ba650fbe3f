import { hash } from 'node:crypto';
import {
  type BrokerConsent,
  BrokerRefused,
  BrokerUnreachable,
  type ConsentRequest,
} from '@slipstream/ports';
import { tokenAnswer } from './answers.js';
import { readAs } from './api.js';
import type { Kind } from './kinds.js';

/** This service as it is registered at Alpaca. */
export interface OAuthClient {
  readonly id: string;
  readonly secret: string;
  /** Alpaca's own hosts unless given; for stand-ins. */
  readonly url?: string | undefined;
}

const AUTHORIZE = 'https://app.alpaca.markets';
const TOKEN = 'https://api.alpaca.markets';
/** To read the account needs none, and `account:write` would allow to change its settings; a bot only trades. */
const SCOPE = 'trading';
/** No answer of Alpaca's is longer. */
const LONGEST = 16_384;

interface Reach {
  readonly fetch: typeof fetch | undefined;
  readonly timeout: number;
}

/** Proves by a hash that whoever exchanges the code asked for it (RFC 7636): servers that do not know it ignore it. */
const challengeOf = ({ verifier }: ConsentRequest): string =>
  hash('sha256', verifier, 'buffer').toString('base64url');

/** An answer's status and text. Redirects are refused: the secret of this service goes nowhere else. */
async function post(
  url: string,
  form: URLSearchParams,
  { fetch: send = fetch, timeout }: Reach,
): Promise<{ readonly status: number; readonly text: string }> {
  try {
    const answer = await send(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: form.toString(),
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    });
    return { status: answer.status, text: await answer.text() };
  } catch {
    // The cause may hold the request, and with it the secret.
    throw new BrokerUnreachable('Alpaca gave no answer to the exchange of the code');
  }
}

function parsed(text: string): unknown {
  try {
    return text.length > LONGEST ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

/** Access that a user gives on Alpaca's page: a token that does not end until the user takes it back there. */
export const alpacaConsent = (
  { live }: Kind,
  { id, secret, url }: OAuthClient,
  reach: Reach,
): BrokerConsent => ({
  page: (request) => {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: id,
      redirect_uri: request.returnTo,
      state: request.state,
      scope: SCOPE,
      // Without it Alpaca asks for a live and a paper account, and one token opens both.
      env: live ? 'live' : 'paper',
      code_challenge: challengeOf(request),
      code_challenge_method: 'S256',
    });
    return `${url ?? AUTHORIZE}/oauth/authorize?${query.toString().replaceAll('+', '%20')}`;
  },
  redeem: async (code, { returnTo, verifier }) => {
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      client_id: id,
      client_secret: secret,
      redirect_uri: returnTo,
      code_verifier: verifier,
    });
    const { status, text } = await post(`${url ?? TOKEN}/oauth/token`, form, reach);
    if (status === 401)
      throw new BrokerRefused('Alpaca does not know this service; ask its operator');
    if (status === 400 || status === 403 || status === 422)
      throw new BrokerRefused('Alpaca does not take the code; connect again (newConnection)');
    if (status !== 200) throw new BrokerUnreachable(`Alpaca answered ${status}`);
    const { access_token, scope } = readAs(tokenAnswer, parsed(text));
    if (!scope.split(/[\s,]+/).includes('trading'))
      throw new BrokerRefused('the access that was given does not allow trading');
    return { access_token };
  },
});
