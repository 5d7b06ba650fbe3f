import { useState } from 'preact/hooks';
import { useAction } from '../../service/action.js';
import { useRead } from '../../service/read.js';
import { Check, Failure, Form } from '../common/form.js';
import { Note, Panel } from '../common/panel.js';
import { Shown } from '../common/shown.js';

// oxfmt-ignore
const NOTICES = [
  ['subscription', 'New followers of your strategies, in the inbox'],
  ['subscription_email', 'The same by mail'],
  ['like', 'Likes of your posts, in the inbox'],
  ['payment_complete_email', 'Payments that are complete, by mail'],
  ['new_features_email', 'News of this service, by mail'],
] as const;
type Kind = (typeof NOTICES)[number][0];

/** Which notifications and mails the reader gets. */
export function NoticesPanel() {
  const user = useRead('user', (client) => client.getUserInfo());
  const [edited, setEdited] = useState<readonly Kind[] | undefined>();
  const save = useAction((client, notifications: Kind[], options) =>
    client.updateUserNotifications({ notifications }, options),
  );
  return (
    <Panel title="Notifications">
      <Shown of={user} what="what you chose" height="16.75rem">
        {(me) => {
          const chosen = edited ?? me.notifications;
          return (
            <Form label="Notifications" onSubmit={() => void save.run([...chosen])}>
              {NOTICES.map(([kind, label]) => (
                <Check
                  key={kind}
                  label={label}
                  checked={chosen.includes(kind)}
                  onValue={(on) =>
                    setEdited(on ? [...chosen, kind] : chosen.filter((one) => one !== kind))
                  }
                />
              ))}
              {me.verified ? (
                <p class="small quiet">
                  What is about your money or your account is always mailed.
                </p>
              ) : (
                <p class="small">
                  No mails but links reach you until your address is confirmed, not even about your
                  money: send yourself a link in the profile.
                </p>
              )}
              <div class="row">
                <button disabled={save.isBusy}>Save</button>
              </div>
              <Failure of={save} />
              {save.answer && <Note tone="good">Saved.</Note>}
            </Form>
          );
        }}
      </Shown>
    </Panel>
  );
}
