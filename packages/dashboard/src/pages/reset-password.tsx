import { useState } from 'preact/hooks';
import { EmailField, NewPasswordField } from '../parts/common/credentials.js';
import { Failure, Field, Form } from '../parts/common/form.js';
import { Note, Panel } from '../parts/common/panel.js';
import { useAction } from '../service/action.js';
import { takeCode } from '../session/code.js';

/** Asks for a mail, or sets a new password with the code of one. */
export function ResetPassword() {
  const [given] = useState(takeCode);
  const [hasCode, setHasCode] = useState(given !== null);
  return (
    <div class="narrow stack">
      <h1>New password</h1>
      {hasCode ? (
        <SetNew given={given} />
      ) : (
        <>
          <Ask />
          <button type="button" class="plain" onClick={() => setHasCode(true)}>
            I have a code
          </button>
        </>
      )}
    </div>
  );
}

function Ask() {
  const [email, setEmail] = useState('');
  const ask = useAction((client, address: string, options) =>
    client.newPasswordReset({ email: address }, options),
  );
  return (
    <Panel title="Get a mail">
      {ask.answer ? (
        <Note tone="good">{ask.answer} It is valid for an hour.</Note>
      ) : (
        <Form onSubmit={() => void ask.run(email.trim())}>
          <EmailField value={email} onValue={setEmail} />
          <Failure of={ask} />
          <button class="primary" aria-disabled={ask.isBusy}>
            Send me a link
          </button>
        </Form>
      )}
    </Panel>
  );
}

function SetNew({ given }: { readonly given: string | null }) {
  const [code, setCode] = useState(given ?? '');
  const [password, setPassword] = useState('');
  const set = useAction((client, fields: { reset_code: string; new_password: string }, options) =>
    client.updatePassword(fields, options),
  );
  return (
    <Panel title="Set it">
      {set.answer ? (
        <Note tone="good">
          {set.answer} Every sign-in and every token has ended. <a href="/sign-in">Sign in</a>
        </Note>
      ) : (
        <Form onSubmit={() => void set.run({ reset_code: code.trim(), new_password: password })}>
          {given === null && (
            <Field label="Code of the mail" required value={code} onValue={setCode} />
          )}
          <NewPasswordField
            value={password}
            onValue={setPassword}
            hint="8 characters or more. Every sign-in and every token ends with it."
          />
          <Failure of={set} />
          <button class="primary" aria-disabled={set.isBusy}>
            Set the password
          </button>
        </Form>
      )}
    </Panel>
  );
}
