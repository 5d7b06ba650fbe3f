import { useMemo, useState } from 'preact/hooks';
import { later } from '../parts/common/later.js';
import { Note, Panel } from '../parts/common/panel.js';
import { Shown } from '../parts/common/shown.js';
import { Filters, type Search, searchFields } from '../parts/strategies/filters.js';
import { StrategiesTable } from '../parts/strategies/strategies-table.js';
import { useRead } from '../service/read.js';
import type { Strategy } from '../service/records.js';
import { session } from '../session/session.js';

const Comparison = later(() =>
  import('../parts/strategies/comparison.js').then((part) => part.Comparison),
);

const FIRST: Search = {
  query: '',
  type: '',
  maxPrice: '',
  maxDrawdown: '',
  minAge: '',
  categories: '',
  basis: '',
  sort: 'rank_top',
  timeframe: 'month',
};
/** How many strategies can be compared. */
const MOST = 4;
/** How many strategies are read at once, and at all. */
const [PAGE, LIMIT] = [50, 100];

/** All public strategies: find, sort, compare. */
export function Discover() {
  const [search, setSearch] = useState(FIRST);
  const [chosen, setChosen] = useState<readonly Strategy[]>([]);
  const fields = useMemo(() => searchFields(search), [search]);
  const [limit, setLimit] = useState(PAGE);
  const found = useRead(
    `find ${JSON.stringify(fields)} ${limit}`,
    async (client) => {
      const all = await client.findStrategies({ ...fields, limit });
      const strategy_id = all.map((one) => one.strategy_id);
      // The search answers the figures of its timeframe alone; the table has others beside them.
      return strategy_id.length === 0 ? all : client.getStrategies({ strategy_id });
    },
    60_000,
  );
  const look = (next: Search): void => {
    setLimit(PAGE);
    setSearch(next);
  };
  const choose = (strategy: Strategy): void => {
    const rest = chosen.filter((one) => one.strategy_id !== strategy.strategy_id);
    setChosen(rest.length < chosen.length ? rest : [...chosen, strategy].slice(-MOST));
  };
  return (
    <div class="stack">
      <div>
        <h1>Strategies</h1>
        <p class="quiet">Find one, look how it did, follow it.</p>
      </div>
      <Filters search={search} onSearch={look} />
      {chosen.length > 0 && (
        <Comparison
          strategies={chosen}
          timeframe={search.timeframe}
          onRemove={choose}
          most={MOST}
        />
      )}
      <Panel title="Found" aside={<span class="small quiet">Choose up to {MOST} to compare.</span>}>
        <Shown of={found} height="30rem">
          {(strategies) =>
            strategies.length > 0 ? (
              <>
                <StrategiesTable
                  strategies={strategies}
                  timeframe={search.timeframe}
                  chosen={chosen.map((one) => one.strategy_id)}
                  onChoose={choose}
                />
                {strategies.length === limit && limit < LIMIT && (
                  <button type="button" onClick={() => setLimit(LIMIT)}>
                    Show more
                  </button>
                )}
                {strategies.length === LIMIT && (
                  <p class="small quiet">
                    These are the first {LIMIT}. Narrow the search to see others.
                  </p>
                )}
              </>
            ) : (
              <NothingFound isNarrow={isNarrow(search)} onWiden={() => look(FIRST)} />
            )
          }
        </Shown>
      </Panel>
    </div>
  );
}

/** Whether the search leaves anything out. */
const isNarrow = ({ sort: _, timeframe: __, ...filters }: Search): boolean =>
  Object.values(filters).some((filter) => filter !== '');

/** The next step where no strategy is found. */
function NothingFound(props: { readonly isNarrow: boolean; readonly onWiden: () => void }) {
  if (props.isNarrow)
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
