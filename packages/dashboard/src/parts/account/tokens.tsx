import { useState } from 'preact/hooks';
import { moment } from '../../figures/format.js';
import { useAction } from '../../service/action.js';
import { useRead } from '../../service/read.js';
import { Confirmed, Failure, Field, Form } from '../common/form.js';
import { Note, Panel, Scroll } from '../common/panel.js';
import { Shown } from '../common/shown.js';

const KINDS = { api: 'token', refresh: 'sign-in', session: 'session' } as const;

/** Sign-ins, sessions and lasting tokens; each can be ended. */
export function TokensPanel() {
  const tokens = useRead('tokens', (client) => client.getTokens({ limit: 100 }));
  const [name, setName] = useState('');
  const make = useAction(
    (client, given: string, options) => client.newToken({ name: given, scope: ['*'] }, options),
    () => {
      setName('');
      tokens.again();
    },
  );
  return (
    <Panel title="Tokens and sign-ins">
      <Form label="New token" onSubmit={() => void make.run(name.trim())}>
        <Field
          label="Name of a new token"
          required
          maxLength={100}
          value={name}
          onValue={setName}
          hint="For programs of yours: everything but withdrawals and payout sources. Alerts get narrower ones from their template."
        />
        <div class="row">
          <button disabled={make.isBusy}>Make a token</button>
        </div>
        <Failure of={make} />
      </Form>
      {make.answer && (
        <Note tone="good">
          <p>Copy it now; it is not shown again:</p>
          <pre tabIndex={0}>{make.answer.token}</pre>
        </Note>
      )}
      <Shown of={tokens} height="10rem">
        {(all) => (
          <Scroll label="Tokens and sign-ins">
            <table>
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">Kind</th>
                  <th scope="col" class="wide">
                    May
                  </th>
                  <th scope="col">Last used</th>
                  <th scope="col">
                    <span class="hidden">End</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {all.map((token) => (
                  <tr key={token.token_id}>
                    <td>
                      {token.name}
                      {token.expires_at !== null && (
                        <div class="small quiet">until {moment(token.expires_at)}</div>
                      )}
                    </td>
                    <td>{KINDS[token.type]}</td>
                    <td class="wide small">
                      {token.scope.includes('*') ? 'everything' : token.scope.join(', ')}
                      {token.strategy_ids !== null && `, for ${token.strategy_ids.length} strategy`}
                    </td>
                    <td class="small">{moment(token.last_used_at)}</td>
                    <td>
                      <End tokenId={token.token_id} name={token.name} onEnd={tokens.again} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        )}
      </Shown>
    </Panel>
  );
}

function End(props: {
  readonly tokenId: string;
  readonly name: string;
  readonly onEnd: () => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const end = useAction(
    (client, token_id: string, options) => client.deleteToken({ token_id }, options),
    props.onEnd,
  );
  return (
    <>
      <Confirmed
        label="End"
        confirm="End it"
        consequence={`“${props.name}” and every token made from it end at once.`}
        isOpen={isOpen}
        onOpen={setOpen}
        isBusy={end.isBusy}
        onConfirm={() => void end.run(props.tokenId)}
        isDanger
      />
      <Failure of={end} />
    </>
  );
}
