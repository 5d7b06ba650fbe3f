import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { wayBack } from '../figures/way-back.js';
import { Failure, Field, Form } from '../parts/common/form.js';
import { Note, Panel } from '../parts/common/panel.js';
import { useAction } from '../service/action.js';
import { takeCode } from '../session/code.js';
import { session } from '../session/session.js';

/** Confirms an e-mail address with the code of a mail. A button does it: mail programs open links by themselves. */
export function Confirm() {
  const to = wayBack(useLocation().query['to']);
  const [given] = useState(takeCode);
  const [typed, setTyped] = useState('');
  const confirm = useAction((client, code: string, options) =>
    client.confirmEmail({ code }, options),
  );
  const again = useAction((client, _: string, options) => client.newEmailConfirmation({}, options));
  return (
    <div class="narrow stack">
      <h1>Confirm your e-mail address</h1>
      <Panel title="One press">
        {confirm.answer ? (
          <Note tone="good">
            {confirm.answer} <a href={session.value ? to : '/sign-in'}>Go on</a>
          </Note>
        ) : (
          <Form onSubmit={() => void confirm.run(given ?? typed.trim())}>
            {given === null && (
              <>
                <p>
                  A mail with a link is on its way to you, where this service sends mails. Open the
                  link, or paste its code here. You can <a href={to}>look around</a> meanwhile.
                </p>
                <Field label="Code" required value={typed} onValue={setTyped} />
              </>
            )}
            <button class="primary" aria-disabled={confirm.isBusy}>
              Confirm
            </button>
            <Failure of={confirm} />
          </Form>
        )}
        {session.value !== null && !confirm.answer && (
          <>
            <button
              type="button"
              class="plain"
              aria-disabled={again.isBusy}
              onClick={() => void again.run('again')}
            >
              Send another link
            </button>
            <Failure of={again} />
            {again.answer && <Note tone="good">{again.answer}</Note>}
          </>
        )}
        <p class="small quiet">
          If you gave this address to nobody, close this page: nothing happens.
        </p>
      </Panel>
    </div>
  );
}
