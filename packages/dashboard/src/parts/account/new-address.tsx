import { useState } from 'preact/hooks';
import { useAction } from '../../service/action.js';
import { type Proof, ProvenFailure, useProof } from '../common/credentials.js';
import { Field, Form } from '../common/form.js';
import { Note } from '../common/panel.js';

/** Changes the address of the account, once the link of a mail is opened. */
export function NewAddress() {
  const [email, setEmail] = useState('');
  const proof = useProof();
  const change = useAction(
    (client, fields: Proof & { readonly email: string }, options) =>
      client.updateEmail(fields, options),
    proof.clear,
    undefined,
    (fields) => fields.email,
  );
  return (
    <details>
      <summary>Change the address</summary>
      <Form
        label="New address"
        onSubmit={() => void change.run({ email: email.trim(), ...proof.proof })}
      >
        <div class="fields">
          <Field
            label="New e-mail address"
            type="email"
            autocomplete="email"
            required
            value={email}
            onValue={setEmail}
          />
          {proof.fields}
        </div>
        <div class="row">
          <button aria-disabled={change.isBusy}>Send a link there</button>
          <span class="small quiet">
            The address changes when you open the link. Both addresses get a mail.
          </span>
        </div>
        <ProvenFailure of={change} />
        {change.answer && <Note tone="good">{change.answer}</Note>}
      </Form>
    </details>
  );
}
