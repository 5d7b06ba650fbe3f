import { session } from '../../session/session.js';
import { Note } from '../common/panel.js';
import type { Search } from './filters.js';

/** Whether the search leaves anything out. */
const isNarrow = ({ sort: _, timeframe: __, ...filters }: Search): boolean =>
  Object.values(filters).some((filter) => filter !== '');

/** The next step where no strategy is found. */
export function NothingFound(props: { readonly search: Search; readonly onWiden: () => void }) {
  if (isNarrow(props.search))
    return (
      <Note>
        <div class="row ends">
          <span>No public strategy matches all of this.</span>
          <button type="button" onClick={props.onWiden}>
            Take every filter away
          </button>
        </div>
      </Note>
    );
  return (
    <Note>
      There is no public strategy yet.{' '}
      {session.value === null ? (
        <a href="/sign-up">Make an account and publish the first one</a>
      ) : (
        <a href="/new-strategy">Publish the first one</a>
      )}
      .
    </Note>
  );
}
