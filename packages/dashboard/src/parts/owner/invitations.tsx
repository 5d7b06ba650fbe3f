import { useState } from 'preact/hooks';
import { useAction } from '../../service/action.js';
import { useRead } from '../../service/read.js';
import type { Strategy } from '../../service/records.js';
import { Confirmed } from '../common/confirmed.js';
import { Failure, Field, Form } from '../common/form.js';
import { Note } from '../common/panel.js';

/** The users whom the owner of a private strategy invites, by their ids. */
export function Invitations(props: { readonly strategy: Strategy; readonly onChange: () => void }) {
  const { strategy, onChange } = props;
  const { strategy_id } = strategy;
  const invited = strategy.invited_user_ids ?? [];
  const [userId, setUserId] = useState('');
  const people = useRead(invited.length > 0 ? `invited ${invited.join(' ')}` : null, (client) =>
    client.getUsers({ user_id: [...invited] }),
  );
  const nameOf = (id: string): string =>
    people.data?.find(({ user_id }) => user_id === id)?.name ?? 'without a name';
  const invite = useAction(
    async (client, { id, isInvited }: { id: string; isInvited: boolean }) => {
      // Another tab may have changed the list, which is sent as a whole.
      const [now] = await client.getStrategies({ strategy_id: [strategy_id] });
      const others = (now?.invited_user_ids ?? []).filter((one) => one !== id);
      const invited_user_ids = isInvited ? [...others, id] : others;
      return client.updateStrategy({ strategy_id, invited_user_ids });
    },
    () => {
      setUserId('');
      onChange();
    },
  );
  const exclude = useAction(
    (client, user_id: string, options) =>
      client.deleteStrategySubscription({ strategy_id, user_id }, options),
    onChange,
  );
  return (
    <>
      <h3>Invited</h3>
      <Form label="Invite" onSubmit={() => void invite.run({ id: userId.trim(), isInvited: true })}>
        <Field
          label="Id of the user"
          required
          autocomplete="off"
          value={userId}
          onValue={setUserId}
          hint="Send them the address of this page. While it is closed to them it shows them their user id to copy, and so does their page “Account”. They send you the id; you paste it here."
        />
        <div class="row">
          <button disabled={invited.length >= 100} aria-disabled={invite.isBusy}>
            Invite
          </button>
        </div>
      </Form>
      <Failure of={invite} />
      {invited.length === 0 ? (
        <p class="quiet">Nobody is invited yet.</p>
      ) : (
        <ul class="list" aria-label="Invited">
          {invited.map((id) => (
            <li key={id} class="row ends">
              <span>
                {nameOf(id)} <code class="small quiet">{id}</code>
              </span>
              <span class="row">
                <Confirmed
                  label="Withdraw"
                  confirm="Withdraw the invitation"
                  consequence="They no longer see the strategy, unless they follow it already."
                  isBusy={invite.isBusy}
                  onConfirm={() => invite.run({ id, isInvited: false })}
                />
                <Confirmed
                  label="Exclude"
                  confirm="End their subscription"
                  consequence="Their subscription and their invitation end now, and the unused days of a paid month are refunded from your earnings."
                  isBusy={exclude.isBusy}
                  onConfirm={() => exclude.run(id)}
                  isDanger
                />
              </span>
            </li>
          ))}
        </ul>
      )}
      <Failure of={exclude} />
      {exclude.answer && <Note tone="good">They no longer follow it.</Note>}
    </>
  );
}
