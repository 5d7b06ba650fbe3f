import { signal } from '@preact/signals';
import { type Client, RequestFailed, createClient } from '@slipstream/client';
import { newKey } from '../service/keys.js';
import { channel, keep as store, kept } from './kept.js';

/** Who is signed in on this tab. */
export interface Session {
  /** The token of requests: a session token, or the token of the link that opened the page. */
  readonly token: string;
  readonly userId: string;
  /** Milliseconds; null when it does not end by itself. */
  readonly expiresAt: number | null;
  /** The sign-in that renews the token; absent when a link brought it. */
  readonly signIn?: { readonly token: string; readonly tokenId: string };
}

const KEPT = 'slipstream-session';
/** The token of a link until the service has said whose it is: a reload before that must not lose it. */
const LINK = 'slipstream-link';
/** Milliseconds before its end that a token is renewed. */
const MARGIN = 5 * 60_000;
/** The longest time of a timer of browsers, about 24 days. */
const LONGEST = 2 ** 31 - 1;

/** The session of this tab; null when nobody is signed in. */
export const session = signal<Session | null>(null);
/** Why the last session ended, for the page of the sign-in. */
export const ended = signal<string | null>(null);

const tabs = channel('slipstream-tabs');
type Message =
  | { readonly kind: 'who' }
  | { readonly kind: 'here'; readonly session: Session }
  | { readonly kind: 'out'; readonly userId: string };

/** A client that sends `token`. */
export const clientWith = (token?: string): Client =>
  createClient({ url: location.origin, token, newKey });

let renewal: ReturnType<typeof setTimeout> | undefined;

function keep(next: Session | null): void {
  clearTimeout(renewal);
  store('sessionStorage', KEPT, next ? JSON.stringify(next) : undefined);
  session.value = next;
  if (next?.signIn === undefined || next.expiresAt === null) return;
  const wait = Math.min(Math.max(next.expiresAt - Date.now() - MARGIN, 1_000), LONGEST);
  renewal = setTimeout(() => void renew(), wait);
}

/** A session token of an hour, made by the sign-in. */
async function tokenOf(
  signIn: NonNullable<Session['signIn']>,
): Promise<{ readonly token: string; readonly expiresAt: number | null }> {
  const made = await clientWith(signIn.token).newToken({
    name: 'dashboard',
    type: 'session',
    scope: ['*'],
  });
  // The clock of the reader may be wrong: the time that is left counts, as the service tells it.
  const left =
    made.expires_at === null ? null : Date.parse(made.expires_at) - Date.parse(made.created_at);
  return { token: made.token, expiresAt: left === null ? null : Date.now() + left };
}

let renewing: Promise<void> | undefined;

/** Renews the token, once for all who ask for it meanwhile. */
const renew = (): Promise<void> => (renewing ??= renewed().finally(() => (renewing = undefined)));

async function renewed(): Promise<void> {
  const now = session.value;
  if (!now?.signIn) return;
  try {
    const next = await tokenOf(now.signIn);
    if (session.value === now) keep({ ...now, ...next });
  } catch (error) {
    if (session.value !== now) return;
    if (error instanceof RequestFailed && error.status === 401) forget(ENDED);
    else renewal = setTimeout(() => void renew(), 10_000);
  }
}

const ENDED = 'Your sign-in has ended. Sign in again.';

/** Signs in with an address and its password; rejects with the service's sentence. */
export async function signIn(fields: {
  readonly email: string;
  readonly password: string;
  readonly totp?: string;
}): Promise<void> {
  const made = await clientWith().newSession(fields);
  const given = { token: made.token, tokenId: made.token_id };
  ended.value = null;
  keep({ userId: made.user_id, signIn: given, ...(await tokenOf(given)) });
}

/** Forgets the session on this tab, and says why. */
export function forget(reason: string | null): void {
  ended.value = reason;
  keep(null);
}

/** Whether it is this token that the service does not take: pages ask with others too, as the operator's, and with passwords. */
const isRefused = (token: string): Promise<boolean> =>
  clientWith(token)
    .verifyToken()
    .then(
      () => false,
      (error: unknown) => error instanceof RequestFailed && error.status === 401,
    );

/**
 * The service refused a request of a session. Where the token was at its end, as after a sleep of the machine, the sign-in
 * makes another; else the session is over on every tab of its user. Tells whether the same user goes on with another token.
 */
export async function expire(of: Session): Promise<boolean> {
  if (session.value === of) {
    if (of.signIn && of.expiresAt !== null && of.expiresAt - MARGIN <= Date.now()) await renew();
    else if ((await isRefused(of.token)) && session.value === of) {
      tabs.postMessage({ kind: 'out', userId: of.userId } satisfies Message);
      forget(ENDED);
    }
  }
  return session.value !== of && session.value?.userId === of.userId;
}

/** Signs out here and on every other tab of the user. A token that came by a link stays valid: it may be in use elsewhere. */
export async function signOut(): Promise<void> {
  const now = session.value;
  if (!now) return;
  tabs.postMessage({ kind: 'out', userId: now.userId } satisfies Message);
  forget(null);
  if (!now.signIn) return;
  // Its session tokens end with it.
  await clientWith(now.signIn.token)
    .deleteToken({ token_id: now.signIn.tokenId })
    .catch(() => undefined);
}

/**
 * Takes the token of a link out of the address at once, before anything else may read it. Links with tokens are of programs such as the demo.
 * One to a public service may open the account of whoever wrote it, to which the reader would add a card or a broker.
 */
function tokenOfLink(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) return kept('sessionStorage', LINK);
  history.replaceState(null, '', location.pathname + location.search);
  if (location.protocol === 'https:') return null;
  store('sessionStorage', LINK, token);
  return token;
}

/** Milliseconds that the page waits for an answer of another tab, and after each answer for the next one. */
const ANSWER = 150;

/**
 * Asks the other tabs who is signed in, and signs in as they are; it cannot be known whose this tab is where they are of different
 * users. Resolves when they have answered, or when the page is to open without them: a tab behind others is slow on a busy machine.
 */
const askTabs = (): Promise<void> =>
  new Promise((resolve) => {
    const heard: Session[] = [];
    const end = (): void => {
      resolve();
      const [first] = heard;
      if (!first) return;
      tabs.removeEventListener('message', answer);
      // Meanwhile the reader may have signed in here.
      if (!session.value && heard.every(({ userId }) => userId === first.userId)) keep(first);
    };
    let timer = setTimeout(end, ANSWER);
    function answer({ data }: MessageEvent<Message>): void {
      if (data.kind !== 'here') return;
      heard.push(data.session);
      clearTimeout(timer);
      timer = setTimeout(end, ANSWER);
    }
    tabs.addEventListener('message', answer);
    tabs.postMessage({ kind: 'who' } satisfies Message);
  });

tabs.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  const now = session.value;
  if (data.kind === 'who' && now) tabs.postMessage({ kind: 'here', session: now });
  if (data.kind === 'out' && now?.userId === data.userId) forget('You signed out on another tab.');
});

/** Signs in with the token of a link. */
async function openLink(token: string): Promise<void> {
  try {
    const { user_id: userId, expires_at: end } = await clientWith(token).verifyToken();
    keep({ token, userId, expiresAt: end === null ? null : Date.parse(end) });
  } catch (error) {
    const isRefused = error instanceof RequestFailed && error.status === 401;
    if (!isRefused) return forget('The service did not answer. Reload the page.');
    forget('This link is no longer valid. Start the program again.');
  }
  store('sessionStorage', LINK);
}

/** Finds out who is signed in: by the link, by what this tab kept, or by another tab. */
export async function openSession(): Promise<void> {
  const token = tokenOfLink();
  if (token !== null) return openLink(token);
  const before = kept('sessionStorage', KEPT);
  if (before !== null) return keep(JSON.parse(before) as Session);
  await askTabs();
}
