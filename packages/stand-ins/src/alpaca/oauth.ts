import { hash } from 'node:crypto';
import type { Venue, VenueAnswer, VenueRequest } from '../http.js';
import { type FaultScript, faultScript } from '../faults.js';
import { json } from './accept.js';
import type { Account } from './state.js';

export interface AlpacaOAuthOptions {
  readonly now: () => number;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The pages that browsers may be sent back to. */
  readonly redirects: readonly string[];
}

/** Alpaca's page that asks the user, and its exchange of codes for access tokens. */
export interface AlpacaOAuthStandIn {
  readonly venue: Venue;
  readonly faults: FaultScript;
  /** How often a code was brought to the exchange. */
  exchanges(): number;
  /** Whoever opens the page from now on is the owner of these accounts and allows it; of none: denies it. */
  signIn(...accounts: readonly Account[]): void;
  /** The next tokens allow this only. */
  allowOnly(scope: string): void;
}

interface Grant {
  readonly accounts: readonly Account[];
  readonly scope: string;
  readonly redirect: string;
  readonly challenge: string | null;
  readonly endsAt: number;
}

const CODE_LASTS = 600_000;
const PAPER_NUMBER = /^PA/;
/** Access that nobody asked for by name: to read (docs.alpaca.markets, "Using OAuth2 and Trading API"). */
const READ_ONLY = '';

const refused = (status: number, error: string): VenueAnswer => json(status, { error });

export function alpacaOAuth({
  now,
  clientId,
  clientSecret,
  redirects,
}: AlpacaOAuthOptions): AlpacaOAuthStandIn {
  const grants = new Map<string, Grant>();
  let visitor: readonly Account[] = [];
  let most: string | undefined;
  let made = 0;
  let exchanges = 0;

  /** The page asks for accounts of the kind that `env` names; without it for a live and a paper one. */
  const accountsOf = (env: string | null): readonly Account[] =>
    visitor.filter(
      ({ number }) => env === null || env === (PAPER_NUMBER.test(number) ? 'paper' : 'live'),
    );

  const authorize = ({ query }: VenueRequest): VenueAnswer => {
    const redirect = query.get('redirect_uri') ?? '';
    if (query.get('client_id') !== clientId || !redirects.includes(redirect))
      return refused(400, 'invalid_request');
    const env = query.get('env');
    if (env !== null && env !== 'live' && env !== 'paper') return refused(400, 'invalid_request');
    const back = new URL(redirect);
    const state = query.get('state');
    if (state !== null) back.searchParams.set('state', state);
    if (visitor.length === 0) back.searchParams.set('error', 'access_denied');
    else {
      const code = `code-${(made += 1)}-of-${visitor[0]?.number ?? ''}`;
      const challenge = query.get('code_challenge');
      const scope = most ?? query.get('scope') ?? READ_ONLY;
      const accounts = accountsOf(env);
      grants.set(code, { accounts, scope, redirect, challenge, endsAt: now() + CODE_LASTS });
      back.searchParams.set('code', code);
    }
    return { status: 302, body: '', headers: { location: back.href } };
  };

  const isProven = ({ challenge }: Grant, verifier: string | null): boolean =>
    challenge === null ||
    (verifier !== null && hash('sha256', verifier, 'buffer').toString('base64url') === challenge);

  const exchange = ({ body }: VenueRequest): VenueAnswer => {
    exchanges += 1;
    const form = new URLSearchParams(body);
    if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret)
      return refused(401, 'invalid_client');
    const code = form.get('code') ?? '';
    const grant = grants.get(code);
    grants.delete(code);
    const isGood =
      grant !== undefined &&
      form.get('grant_type') === 'authorization_code' &&
      grant.endsAt > now() &&
      grant.redirect === form.get('redirect_uri') &&
      isProven(grant, form.get('code_verifier'));
    if (!isGood) return refused(400, 'invalid_grant');
    const token = `canary-access-token-${(made += 1)}`;
    for (const { accessTokens } of grant.accounts) accessTokens.add(token);
    return json(200, { access_token: token, token_type: 'bearer', scope: grant.scope });
  };

  const faults = faultScript();
  const venue = faults.around(async (request) => {
    const { method, path } = request;
    if (method === 'GET' && path === '/oauth/authorize') return authorize(request);
    if (method === 'POST' && path === '/oauth/token') return exchange(request);
    return json(404, { message: 'Not Found' });
  });
  return {
    venue,
    faults,
    exchanges: () => exchanges,
    signIn(...accounts) {
      visitor = accounts;
    },
    allowOnly(wanted) {
      most = wanted;
    },
  };
}
