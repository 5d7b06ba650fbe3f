import { signal } from '@preact/signals';
import type { Client } from '@slipstream/client';
import { useMemo } from 'preact/hooks';
import { later } from '../parts/common/later.js';
import { Panel } from '../parts/common/panel.js';
import { Shown } from '../parts/common/shown.js';
import { Filters, type Search, searchFields } from '../parts/strategies/filters.js';
import { StrategiesTable } from '../parts/strategies/strategies-table.js';
import { useReadSince } from '../service/read.js';
import type { Strategy } from '../service/records.js';

const Comparison = later(() =>
  import('../parts/strategies/comparison.js').then((part) => part.Comparison),
);
const NothingFound = later(() =>
  import('../parts/strategies/nothing-found.js').then((part) => part.NothingFound),
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
/** How many strategies are read at once. */
const PAGE = 50;

/** The first `limit` strategies of a search, one part after another, and whether it goes on. */
async function search(
  client: Client,
  fields: ReturnType<typeof searchFields>,
  limit: number,
): Promise<{ readonly all: readonly Strategy[]; readonly isMore: boolean }> {
  // One that falls meanwhile comes twice, and one that became private is not read.
  const all = new Map<string, Strategy>();
  let cursor: string | undefined;
  let isMore = true;
  for (let read = 0; isMore && read < limit; read += PAGE) {
    const part = await client.findStrategies({ ...fields, limit: PAGE, cursor });
    const strategy_id = part.map((one) => one.strategy_id);
    // The search answers the figures of its timeframe alone; the table has others beside them.
    if (strategy_id.length > 0)
      for (const one of await client.getStrategies({ strategy_id })) all.set(one.strategy_id, one);
    isMore = strategy_id.length === PAGE;
    cursor = strategy_id.at(-1);
  }
  return { all: [...all.values()], isMore };
}

// What the reader looked for and chose is still there when they come back from a strategy.
const lookedFor = signal(FIRST);
const compared = signal<readonly Strategy[]>([]);
const shownMost = signal(PAGE);

/** All public strategies: find, sort, compare. */
export function Discover() {
  const [wanted, limit] = [lookedFor.value, shownMost.value];
  const fields = useMemo(() => searchFields(wanted), [wanted]);
  // More of them take their place below those that are there.
  const found = useReadSince(
    limit,
    `find ${JSON.stringify(fields)}`,
    (client) => search(client, fields, limit),
    60_000,
  );
  const look = (next: Search): void => {
    shownMost.value = PAGE;
    lookedFor.value = next;
  };
  // As they were read last, so that both tables tell the same.
  const chosen = compared.value.map(
    (one) => found.data?.all.find(({ strategy_id }) => strategy_id === one.strategy_id) ?? one,
  );
  const choose = (strategy: Strategy): void => {
    const rest = chosen.filter((one) => one.strategy_id !== strategy.strategy_id);
    compared.value = rest.length < chosen.length ? rest : [...chosen, strategy].slice(-MOST);
  };
  return (
    <div class="stack">
      <div>
        <h1>Strategies</h1>
        <p class="quiet">Find one, look how it did, follow it.</p>
      </div>
      <Filters search={wanted} onSearch={look} />
      {chosen.length > 0 && (
        <Comparison
          strategies={chosen}
          timeframe={wanted.timeframe}
          onRemove={choose}
          most={MOST}
        />
      )}
      <Panel title="Found" aside={<span class="small quiet">Choose up to {MOST} to compare.</span>}>
        <Shown of={found} what="the strategies" height="30rem">
          {({ all, isMore }) =>
            all.length > 0 ? (
              <>
                <StrategiesTable
                  strategies={all}
                  timeframe={wanted.timeframe}
                  chosen={chosen.map((one) => one.strategy_id)}
                  onChoose={choose}
                />
                {isMore && (
                  <button type="button" onClick={() => (shownMost.value = limit + PAGE)}>
                    Show more
                  </button>
                )}
              </>
            ) : (
              <NothingFound search={wanted} onWiden={() => look(FIRST)} />
            )
          }
        </Shown>
      </Panel>
    </div>
  );
}
