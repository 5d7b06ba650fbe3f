import { useState } from 'preact/hooks';
import { useAction } from '../../service/action.js';
import { useRead } from '../../service/read.js';
import { NewPasswordField, PasswordField } from '../common/credentials.js';
import { Failure, Field, Form } from '../common/form.js';
import { Note, Panel } from '../common/panel.js';

/** Password and second factor. */
export function SecurityPanel() {
  return (
    <Panel title="Password and second factor">
      <PasswordForm />
      <SecondFactor />
    </Panel>
  );
}

function PasswordForm() {
  const [password, setPassword] = useState('');
  const [next, setNext] = useState('');
  const change = useAction(
    (client, fields: { password: string; new_password: string }, options) =>
      client.updatePassword(fields, options),
    () => {
      setPassword('');
      setNext('');
    },
  );
  return (
    <Form label="Password" onSubmit={() => void change.run({ password, new_password: next })}>
      <div class="fields">
        <PasswordField label="Present password" value={password} onValue={setPassword} />
        <NewPasswordField value={next} onValue={setNext} />
      </div>
      <div class="row">
        <button aria-disabled={change.isBusy}>Change the password</button>
        <span class="small quiet">Every other sign-in ends.</span>
      </div>
      <Failure of={change} />
      {change.answer && <Note tone="good">{change.answer}</Note>}
    </Form>
  );
}

function SecondFactor() {
  const user = useRead('user', (client) => client.getUserInfo());
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const begin = useAction((client, given: string, options) =>
    client.newTotp({ password: given }, options),
  );
  const confirm = useAction(
    (client, totp: string, options) => client.confirmTotp({ totp }, options),
    user.again,
  );
  const end = useAction(
    (client, fields: { password: string; totp: string }, options) =>
      client.deleteTotp(fields, options),
    () => {
      begin.reset();
      confirm.reset();
      user.again();
    },
  );
  const isOn = user.data?.second_factor ?? false;
  if (confirm.answer)
    return (
      <Note tone="good">
        <p>The second factor is on. Keep these recovery codes; they are shown only now:</p>
        <pre tabIndex={0}>{confirm.answer.recovery_codes.join('\n')}</pre>
      </Note>
    );
  return (
    <Form
      label="Second factor"
      onSubmit={() =>
        void (isOn
          ? end.run({ password, totp: code.trim() })
          : begin.answer
            ? confirm.run(code.trim())
            : begin.run(password))
      }
    >
      <h3>
        Second factor <span class={`tag ${isOn ? 'good' : ''}`}>{isOn ? 'on' : 'off'}</span>
      </h3>
      {!begin.answer && <PasswordField value={password} onValue={setPassword} />}
      {begin.answer && !isOn && (
        <p>
          Enter this secret into your authenticator app: <code>{begin.answer.secret}</code>
        </p>
      )}
      {isOn && (
        <p class="small quiet">
          Without it, whoever knows your password can sign in, pay out and delete the account.
        </p>
      )}
      {(isOn || begin.answer) && (
        <Field
          label="Code of the app"
          // A recovery code has letters, for which keys of numbers are none on a phone.
          inputMode={isOn ? 'text' : 'numeric'}
          autocomplete="one-time-code"
          required
          value={code}
          onValue={setCode}
        />
      )}
      <div class="row">
        <button aria-disabled={begin.isBusy || confirm.isBusy || end.isBusy}>
          {isOn ? 'Turn it off' : begin.answer ? 'Turn it on' : 'Begin'}
        </button>
      </div>
      <Failure of={begin} />
      <Failure of={confirm} />
      <Failure of={end} />
    </Form>
  );
}
