import { useLocation } from 'preact-iso';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { leadingTo, wayBack } from '../figures/way-back.js';
import { EmailField, PasswordField } from '../parts/common/credentials.js';
import { Failure, Field, Form } from '../parts/common/form.js';
import { Note, Panel } from '../parts/common/panel.js';
import { useAction } from '../service/action.js';
import { ended, session, signIn } from '../session/session.js';

/** Signs in with address, password and, where it is on, the second factor. */
export function SignIn() {
  const { route, query } = useLocation();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [totp, setTotp] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const to = wayBack(query['to']);
  const action = useAction(
    (_, fields: { email: string; password: string; totp?: string }) => signIn(fields),
    () => route(to, true),
  );
  useEffect(() => {
    if (action.code === 'totp_required') setNeedsCode(true);
  }, [action.code]);
  const code = useRef<HTMLDivElement>(null);
  // It comes above the button that was pressed.
  useLayoutEffect(() => code.current?.querySelector('input')?.focus(), [needsCode]);
  const isIn = session.value !== null;
  return (
    <div class="narrow stack">
      <h1>Sign in</h1>
      {ended.value !== null && <Note tone="caution">{ended.value}</Note>}
      {isIn && <Note tone="good">You are signed in.</Note>}
      <Panel title="With your e-mail address">
        <Form onSubmit={() => void action.run({ email, password, ...(totp !== '' && { totp }) })}>
          <EmailField
            value={email}
            onValue={(typed) => {
              setEmail(typed);
              // Another account may have no second factor, and then takes no code.
              setNeedsCode(false);
              setTotp('');
            }}
          />
          <PasswordField value={password} onValue={setPassword} />
          {needsCode && (
            <div ref={code}>
              <Field
                label="Code of your authenticator app"
                autocomplete="one-time-code"
                required
                value={totp}
                onValue={setTotp}
                hint="Or one of your recovery codes."
              />
            </div>
          )}
          {action.error !== undefined && action.code === 'unauthenticated' ? (
            <Note tone="bad">
              {needsCode
                ? 'The code or the password is wrong. Codes of the app change every half a minute, and each works once.'
                : 'Address and password do not belong together. Check both, or set a new password.'}
            </Note>
          ) : (
            // Its field says what is missing.
            action.code !== 'totp_required' && <Failure of={action} />
          )}
          <button class="primary" aria-disabled={action.isBusy}>
            Sign in
          </button>
        </Form>
        <p class="small">
          <a href={leadingTo('/sign-up', to)}>Make an account</a> ·{' '}
          <a href="/reset-password">Forgotten password</a>
        </p>
      </Panel>
    </div>
  );
}
