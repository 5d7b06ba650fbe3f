import { useLocation } from 'preact-iso';
import type { ComponentChildren } from 'preact';
import { session } from '../../session/session.js';
import { Note } from './panel.js';

/** Pages of an account: strangers get the way to sign in, and come back. */
export function SignedIn({ children }: { readonly children: ComponentChildren }) {
  const { path } = useLocation();
  if (session.value !== null) return <>{children}</>;
  return (
    <Note>
      Sign in to see this page. <a href={`/sign-in?to=${encodeURIComponent(path)}`}>Sign in</a> or{' '}
      <a href="/sign-up">make an account</a>.
    </Note>
  );
}
