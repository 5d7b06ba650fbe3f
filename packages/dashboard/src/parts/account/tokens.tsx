import type { ResponseOf } from '@slipstream/wire';
import { useState } from 'preact/hooks';
import { allTokens } from '../../figures/all-pages.js';
import { moment } from '../../figures/format.js';
import { useAction } from '../../service/action.js';
import { useRead } from '../../service/read.js';
import { Confirmed } from '../common/confirmed.js';
import { Failure, Field, Form } from '../common/form.js';
import { Note, Panel } from '../common/panel.js';
import { Shown } from '../common/shown.js';
import { type Column, Table, Unseen } from '../common/table.js';

const KINDS = { api: 'token', refresh: 'sign-in', session: 'session' } as const;

type Token = ResponseOf<'getTokens'>[number];

const mayOf = ({ scope, strategy_ids: only }: Token): string => {
  const what = scope.includes('*') ? 'everything' : scope.join(', ');
  if (only === null) return what;
  return `${what}, for ${only.length === 1 ? 'one strategy' : `${only.length} strategies`}`;
};

/** What a file says of a token. The secret is none of its fields: the service shows it once, where it is made. */
const recordOf = (token: Token) => ({
  ...{ token_id: token.token_id, name: token.name, type: token.type, scope: token.scope },
  ...{ strategy_ids: token.strategy_ids, limits: token.limits, created_at: token.created_at },
  ...{ expires_at: token.expires_at, last_used_at: token.last_used_at },
});

/** Sign-ins, sessions and lasting tokens; each can be ended. */
export function TokensPanel() {
  const tokens = useRead('tokens', allTokens);
  const [name, setName] = useState('');
  const make = useAction(
    (client, given: string, options) => client.newToken({ name: given, scope: ['*'] }, options),
    () => {
      setName('');
      tokens.again();
    },
  );
  const columns: readonly Column<Token>[] = [
    {
      name: 'Name',
      what: 'token_name',
      cell: (token) => (
        <>
          {token.name}
          {token.expires_at !== null && (
            <div class="small quiet">until {moment(token.expires_at)}</div>
          )}
        </>
      ),
    },
    { name: 'Kind', what: 'token_kind', cell: ({ type }) => KINDS[type] },
    { name: 'May', what: 'token_scope', class: 'small', isWide: true, cell: mayOf },
    {
      name: 'Last used',
      what: 'last_used',
      class: 'small',
      cell: (token) => moment(token.last_used_at),
    },
    {
      name: <Unseen>End</Unseen>,
      what: null,
      cell: (token) => <End tokenId={token.token_id} name={token.name} onEnd={tokens.again} />,
    },
  ];
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
          <button aria-disabled={make.isBusy}>Make a token</button>
        </div>
        <Failure of={make} />
      </Form>
      {make.answer && (
        <Note tone="good">
          <p>Copy it now; it is not shown again:</p>
          <pre tabIndex={0}>{make.answer.token}</pre>
        </Note>
      )}
      <Shown of={tokens} what="the tokens" height="10rem">
        {(all) => (
          <Table
            label="Tokens and sign-ins"
            columns={columns}
            rows={all}
            keyOf={({ token_id }) => token_id}
            record={recordOf}
            empty="No tokens."
          />
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
        isBusy={end.isBusy}
        onConfirm={() => end.run(props.tokenId)}
        isDanger
      />
      <Failure of={end} />
    </>
  );
}
