import { useEffect, useState } from 'preact/hooks';
import { useAction } from '../../service/action.js';
import { useRead } from '../../service/read.js';
import { Failure, Field, Form } from '../common/form.js';
import { OwnId } from '../common/own-id.js';
import { Note, Panel } from '../common/panel.js';
import { Shown } from '../common/shown.js';
import { NewAddress } from './new-address.js';

/** Name and address. */
export function ProfilePanel() {
  const user = useRead('user', (client) => client.getUserInfo());
  const [name, setName] = useState('');
  const known = user.data?.name ?? '';
  useEffect(() => setName(known), [known]);
  const save = useAction(
    (client, given: string, options) => client.updateUserInfo({ name: given }, options),
    user.again,
  );
  const again = useAction((client, _: string, options) => client.newEmailConfirmation({}, options));
  return (
    <Panel title="Profile">
      <Shown of={user} what="the profile" height="16rem">
        {(me) => (
          <Form onSubmit={() => void save.run(name.trim())}>
            <p>
              {me.email}{' '}
              {me.verified ? (
                <span class="tag good">confirmed</span>
              ) : (
                <>
                  <span class="tag caution">not confirmed</span>{' '}
                  <button
                    type="button"
                    class="plain"
                    aria-disabled={again.isBusy}
                    onClick={() => void again.run('again')}
                  >
                    Send a link
                  </button>
                </>
              )}
            </p>
            <OwnId />
            <p class="small quiet">Give it to the owner of a private strategy who invites you.</p>
            <Failure of={again} />
            {again.answer && <Note tone="good">{again.answer}</Note>}
            <Field
              label="Name"
              maxLength={50}
              value={name}
              onValue={setName}
              hint="Everybody sees it beside your strategies."
            />
            <div class="row">
              <button aria-disabled={save.isBusy}>Save</button>
            </div>
            <Failure of={save} />
            {save.answer && <Note tone="good">Saved.</Note>}
          </Form>
        )}
      </Shown>
      <NewAddress />
    </Panel>
  );
}
