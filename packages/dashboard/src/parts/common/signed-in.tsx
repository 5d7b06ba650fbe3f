import { useLocation } from 'preact-iso';
import type { ComponentChildren } from 'preact';
import { leadingTo } from '../../figures/way-back.js';
import { ended, session } from '../../session/session.js';
import { Note } from './panel.js';

/** Pages of an account: strangers get the way to sign in, and come back. */
export function SignedIn({ children }: { readonly children: ComponentChildren }) {
  const { url } = useLocation();
  if (session.value !== null) return <>{children}</>;
  return (
    <div class="stack">
      <h1>Sign in to see this page</h1>
      <Note>
        {ended.value ?? 'It shows what is yours.'} <a href={leadingTo('/sign-in', url)}>Sign in</a>{' '}
        or <a href={leadingTo('/sign-up', url)}>make an account</a>.
      </Note>
    </div>
  );
}
