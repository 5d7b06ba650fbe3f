import { useState } from 'preact/hooks';
import { Failure, Field, Form } from '../parts/common/form.js';
import { Note, Panel } from '../parts/common/panel.js';
import { useAction } from '../service/action.js';
import { Overview } from '../parts/operator/overview.js';
import { UsersPanel } from '../parts/operator/users.js';
import { clientWith } from '../session/session.js';

/** The state of the whole service, for who has the operator's token. The token stays on this page and is stored nowhere. */
export function Operator() {
  const [typed, setTyped] = useState('');
  const [token, setToken] = useState<string | null>(null);
  const check = useAction(
    (_, given: string) => clientWith(given).getOverview(),
    (_, given) => {
      setToken(given);
      setTyped('');
    },
  );
  return (
    <div class="stack">
      <h1>Operator</h1>
      {token === null ? (
        <div class="narrow">
          <Panel title="Who are you?">
            <Form onSubmit={() => void check.run(typed.trim())}>
              <Field
                label="Operator's token"
                type="password"
                autocomplete="off"
                required
                value={typed}
                onValue={setTyped}
                hint="Kept on this page alone; a reload forgets it."
              />
              {check.code === 'unauthenticated' ? (
                <Note tone="bad">This token is not the operator's.</Note>
              ) : (
                <Failure of={check} />
              )}
              <button class="primary" aria-disabled={check.isBusy}>
                Look
              </button>
            </Form>
          </Panel>
        </div>
      ) : (
        <>
          <Overview token={token} />
          <UsersPanel token={token} />
        </>
      )}
    </div>
  );
}
