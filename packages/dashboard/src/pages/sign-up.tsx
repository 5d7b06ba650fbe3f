import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { leadingTo, wayBack } from '../figures/way-back.js';
import { EmailField, NewPasswordField } from '../parts/common/credentials.js';
import { Failure, Form } from '../parts/common/form.js';
import { Note, Panel } from '../parts/common/panel.js';
import { useAction } from '../service/action.js';
import { useRead } from '../service/read.js';
import { signIn } from '../session/session.js';

/** Makes an account and signs in. */
export function SignUp() {
  const { route, query } = useLocation();
  const to = wayBack(query['to']);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const info = useRead('service', (client) => client.getServiceInfo());
  const make = useAction(
    async (client, fields: { email: string; password: string }, options) => {
      const user = await client.newUser(fields, options);
      await signIn(fields);
      return user;
    },
    (user) => route(user.verified ? to : leadingTo('/confirm', to), true),
  );
  return (
    <div class="narrow stack">
      <h1>Make an account</h1>
      {info.data?.signup === 'closed' && (
        <Note tone="caution">The operator of this service makes accounts. Ask them for one.</Note>
      )}
      <Panel title="With your e-mail address">
        <Form onSubmit={() => void make.run({ email: email.trim(), password })}>
          <EmailField value={email} onValue={setEmail} />
          <NewPasswordField
            label="Password"
            value={password}
            onValue={setPassword}
            hint="8 characters or more. A sentence is easy to remember and hard to guess."
          />
          <Failure of={make} />
          <button class="primary" aria-disabled={make.isBusy}>
            Make the account
          </button>
        </Form>
        <p class="small">
          <a href={leadingTo('/sign-in', to)}>I have an account</a>
        </p>
      </Panel>
    </div>
  );
}
