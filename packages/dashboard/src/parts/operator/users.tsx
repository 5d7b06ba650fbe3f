import type { ResponseOf } from '@slipstream/wire';
import { useState } from 'preact/hooks';
import { count, day } from '../../figures/format.js';
import { useRead } from '../../service/read.js';
import { clientWith } from '../../session/session.js';
import { Field } from '../common/form.js';
import { More } from '../common/more.js';
import { Panel } from '../common/panel.js';
import { Shown } from '../common/shown.js';
import { type Column, Table } from '../common/table.js';

type User = ResponseOf<'getUserList'>[number];

const AT_ONCE = 25;

const COLUMNS: readonly Column<User>[] = [
  {
    name: 'User',
    what: 'user',
    cell: (user) => (
      <>
        {user.email}
        {user.name !== null && <div class="small quiet">{user.name}</div>}
      </>
    ),
  },
  {
    name: 'State',
    what: 'user_state',
    cell: (user) => (
      <span class="row">
        <span class={`tag ${user.status === 'confirmed' ? 'good' : 'caution'}`}>{user.status}</span>
        {user.halted && <span class="tag bad">halted</span>}
        {user.second_factor && <span class="tag">second factor</span>}
      </span>
    ),
  },
  {
    name: 'Strategies',
    what: 'user_strategies',
    isNumber: true,
    cell: (user) => count(String(user.strategies)),
  },
  {
    name: 'Followers',
    what: 'user_followers',
    isNumber: true,
    isWide: true,
    cell: (user) => count(String(user.subscribers)),
  },
  {
    name: 'Since',
    what: 'since',
    class: 'small',
    isWide: true,
    cell: (user) => day(user.created_at),
  },
];

/** The users of the service, newest first, or by the beginning of an address or a name. */
export function UsersPanel({ token }: { readonly token: string }) {
  const [query, setQuery] = useState('');
  /** The last user of each page before this one. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const text = query.trim();
  const cursor = text === '' ? cursors.at(-1) : undefined;
  const users = useRead(`users ${text} ${cursor}`, () =>
    clientWith(token).getUserList({
      limit: AT_ONCE,
      ...(text !== '' && { query: text }),
      ...(cursor !== undefined && { cursor }),
    }),
  );
  const last = users.data?.at(-1)?.user_id;
  const isFull = users.data?.length === AT_ONCE;
  return (
    <Panel title="Users">
      <Field
        label="Find"
        type="search"
        maxLength={100}
        value={query}
        onValue={setQuery}
        hint="The beginning of an e-mail address or of a name."
      />
      <Shown of={users} what="the users" height="10rem">
        {(found) => (
          <Table
            label="Users"
            columns={COLUMNS}
            rows={found}
            keyOf={({ user_id }) => user_id}
            record={(user) => ({ ...user })}
            empty="Nobody."
          />
        )}
      </Shown>
      <More
        is={isFull && text !== ''}
        said={`The first ${AT_ONCE}. Type more of the address or of the name.`}
      />
      {text === '' && (
        <div class="row">
          <button
            type="button"
            aria-disabled={cursors.length === 0}
            onClick={() => setCursors(cursors.slice(0, -1))}
          >
            Newer
          </button>
          <button
            type="button"
            aria-disabled={!isFull}
            onClick={() => isFull && last !== undefined && setCursors([...cursors, last])}
          >
            Older
          </button>
        </div>
      )}
    </Panel>
  );
}
