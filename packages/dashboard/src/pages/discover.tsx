import { useMemo, useState } from 'preact/hooks';
import { Comparison } from '../parts/strategies/comparison.js';
import { Filters, type Search, searchFields } from '../parts/strategies/filters.js';
import { Note, Panel } from '../parts/common/panel.js';
import { Shown } from '../parts/common/shown.js';
import { StrategiesTable } from '../parts/strategies/strategies-table.js';
import { useRead } from '../service/read.js';
import type { Strategy } from '../service/records.js';
import { session } from '../session/session.js';

const FIRST: Search = {
  query: '',
  type: '',
  maxPrice: '',
  maxDrawdown: '',
  minAge: '',
  sort: 'rank_top',
  timeframe: 'month',
};
/** How many strategies can be compared. */
const MOST = 4;

/** All public strategies: find, sort, compare. */
export function Discover() {
  const [search, setSearch] = useState(FIRST);
  const [chosen, setChosen] = useState<readonly Strategy[]>([]);
  const fields = useMemo(() => searchFields(search), [search]);
  const found = useRead(
    `find ${JSON.stringify(fields)}`,
    (client) => client.findStrategies(fields),
    60_000,
  );
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
      <Filters search={search} onSearch={setSearch} />
      {chosen.length > 0 && (
        <Comparison
          strategies={chosen}
          timeframe={search.timeframe}
          onRemove={choose}
          most={MOST}
        />
      )}
      <Panel title="Found">
        <Shown of={found} height="30rem">
          {(strategies) =>
            strategies.length > 0 ? (
              <StrategiesTable
                strategies={strategies}
                timeframe={search.timeframe}
                chosen={chosen.map((one) => one.strategy_id)}
                onChoose={choose}
              />
            ) : (
              <Note>
                No public strategy matches. Take a filter away
                {session.value === null ? '.' : ', or publish one of your own under “Yours”.'}
              </Note>
            )
          }
        </Shown>
      </Panel>
    </div>
  );
}
