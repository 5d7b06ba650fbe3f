import { useEffect, useState } from 'preact/hooks';
import { isDiscreet, isNarrow, nextTheme, theme } from '../../session/look.js';
import { session, signOut } from '../../session/session.js';
import { connection } from '../../service/live.js';
import { useRead } from '../../service/read.js';

const LINKS = [
  ['/', 'Strategies'],
  ['/my-strategies', 'Yours'],
  ['/bots', 'Bots'],
  ['/inbox', 'Inbox'],
  ['/account', 'Account'],
] as const;

const STATES = {
  none: ['waiting', 'Still'],
  open: ['', 'Live'],
  lost: ['lost', 'Reconnecting'],
} as const;

const SIGNS = { system: '◐', light: '☀', dark: '☾' } as const;

/** Whether the path belongs to the link. */
const isCurrent = (link: string, path: string): boolean =>
  link === '/' ? path === '/' || path.startsWith('/strategies') : path.startsWith(link);

/** When the connection was lost, in words; null while it is open. Figures that move are of that moment. */
function useLostAt(): string | null {
  const isLost = connection.value === 'lost';
  const [at, setAt] = useState<string | null>(null);
  useEffect(
    () => setAt(isLost ? new Date().toLocaleTimeString(undefined, { timeStyle: 'short' }) : null),
    [isLost],
  );
  return at;
}

/** The head of every page. */
export function Top({ path }: { readonly path: string }) {
  const isIn = session.value !== null;
  const links = isIn ? LINKS : LINKS.slice(0, 1);
  const [tone, text] = STATES[connection.value];
  const lostAt = useLostAt();
  // On a phone it is a line of its own below the rest, also for who goes by the keyboard.
  const nav = (
    <nav aria-label="Pages">
      {links.map(([to, label]) => (
        <a key={to} href={to} aria-current={isCurrent(to, path) ? 'page' : undefined}>
          {label}
        </a>
      ))}
      <a href="/guide">Guide</a>
      <a href="/docs">API</a>
    </nav>
  );
  return (
    <header class="top">
      <div>
        <a class="brand" href="/">
          <img src="/favicon.svg" alt="" width="26" height="26" />
          Slipstream
        </a>
        {!isNarrow.value && nav}
        <span class={`live ${tone}`} role="status">
          <span class="cut">
            {text}
            {lostAt !== null && <span class="wide">: figures of {lostAt}</span>}
          </span>
        </span>
        <button type="button" class="plain" onClick={nextTheme}>
          <span aria-hidden="true">{SIGNS[theme.value]}</span>
          <span class="hidden">Look: {theme.value}</span>
        </button>
        {isIn && (
          <button
            type="button"
            class="plain"
            aria-pressed={isDiscreet.value}
            onClick={() => (isDiscreet.value = !isDiscreet.value)}
          >
            <span class="wide">Hide amounts</span>
            <span class="slim" aria-hidden="true">
              •••
            </span>
            <span class="slim hidden">Hide amounts</span>
          </button>
        )}
        {isIn ? (
          <button type="button" onClick={() => void signOut()}>
            Sign out
          </button>
        ) : (
          <a class="button" href="/sign-in">
            Sign in
          </a>
        )}
        {isNarrow.value && nav}
      </div>
    </header>
  );
}

/** What the figures are, below every page. */
export function Footer() {
  const info = useRead('service', (client) => client.getServiceInfo(), 60_000);
  return (
    <footer>
      {info.data && (
        <>
          {info.data.halted && <p class="down">The operator has halted all trading.</p>}
          <p>{info.data.disclosure}</p>
          <p>
            {info.data.name} {info.data.version}
            {info.data.payments === 'simulated' && ' · payments are simulated: no money moves'}
          </p>
        </>
      )}
    </footer>
  );
}
