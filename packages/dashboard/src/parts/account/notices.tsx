import { useEffect, useState } from 'preact/hooks';
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
type Edits = Partial<Record<Kind, boolean>>;
const KINDS = NOTICES.map(([kind]) => kind);

/** Which notifications and mails the reader gets. */
export function NoticesPanel() {
  const user = useRead('user', (client) => client.getUserInfo());
  const [edits, setEdits] = useState<Edits>({});
  useEffect(() => setEdits({}), [user.data]);
  const save = useAction(async (client, wanted: Edits) => {
    // Another tab may have changed the list, which is sent as a whole.
    const { notifications } = await client.getUserInfo();
    return client.updateUserNotifications({
      notifications: [
        ...notifications.filter((kind) => wanted[kind] === undefined),
        ...KINDS.filter((kind) => wanted[kind]),
      ],
    });
  }, user.again);
  return (
    <Panel title="Notifications">
      <Shown of={user} what="what you chose" height="16.75rem">
        {(me) => (
          <Form label="Notifications" onSubmit={() => void save.run(edits)}>
            {NOTICES.map(([kind, label]) => (
              <Check
                key={kind}
                label={label}
                checked={edits[kind] ?? me.notifications.includes(kind)}
                onValue={(on) => setEdits((before) => ({ ...before, [kind]: on }))}
              />
            ))}
            {me.verified ? (
              <p class="small quiet">What is about your money or your account is always mailed.</p>
            ) : (
              <p class="small">
                No mails but links reach you until your address is confirmed, not even about your
                money: send yourself a link in the profile.
              </p>
            )}
            <div class="row">
              <button aria-disabled={save.isBusy}>Save</button>
            </div>
            <Failure of={save} />
            {save.answer && <Note tone="good">Saved.</Note>}
          </Form>
        )}
      </Shown>
    </Panel>
  );
}
