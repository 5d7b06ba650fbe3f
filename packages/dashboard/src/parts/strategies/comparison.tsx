import type { ComponentChildren } from 'preact';
import { count, monthly } from '../../figures/format.js';
import type { Meaning } from '../../figures/meanings.js';
import { type Strategy, TIMEFRAMES, type Timeframe, inTimeframe } from '../../service/records.js';
import { Basis } from '../common/basis.js';
import { Panel, Scroll } from '../common/panel.js';
import { Change, Fall } from '../common/signed.js';
import { TableFile } from '../common/table.js';
import { ShownMeaning, useMeanings } from '../common/meanings.js';
import { LiveValue, recordOf } from './strategies-table.js';

/** Strategies side by side. */
export function Comparison(props: {
  readonly strategies: readonly Strategy[];
  readonly timeframe: Timeframe;
  readonly most: number;
  readonly onRemove: (strategy: Strategy) => void;
}) {
  const { strategies, timeframe, onRemove } = props;
  const { named, shown } = useMeanings();
  const line = (label: string, what: Meaning, cell: (strategy: Strategy) => ComponentChildren) => (
    <tr>
      <th scope="row">{named(what, label, label)}</th>
      {strategies.map((strategy) => (
        <td key={strategy.strategy_id}>{cell(strategy)}</td>
      ))}
    </tr>
  );
  return (
    <Panel
      title="Compare"
      aside={
        <span class="small quiet">
          {strategies.length < props.most
            ? `Choose up to ${props.most} in the list.`
            : 'The next one replaces the first.'}
        </span>
      }
    >
      <Scroll label="Comparison">
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span class="hidden">Figure</span>
              </th>
              {strategies.map((strategy) => (
                <th key={strategy.strategy_id} scope="col">
                  <a href={`/strategies/${strategy.strategy_id}`}>{strategy.name}</a>{' '}
                  <button
                    type="button"
                    class="plain"
                    aria-label={`Remove ${strategy.name}`}
                    onClick={() => onRemove(strategy)}
                  >
                    ✕
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {line('Basis', 'basis', ({ basis }) => (
              <Basis of={basis} />
            ))}
            {line('Value', 'value', (strategy) => (
              <LiveValue strategy={strategy} />
            ))}
            {TIMEFRAMES.map(([name, label]) =>
              line(`Return, ${label}`, 'return', (strategy) => (
                <Change of={inTimeframe(strategy, name)?.return} />
              )),
            )}
            {line('Drawdown', 'drawdown', (strategy) => (
              <Fall of={inTimeframe(strategy, timeframe)?.max_drawdown} />
            ))}
            {line('Rank', 'rank', (strategy) => count(inTimeframe(strategy, timeframe)?.rank_top))}
            {line('Followers', 'followers', ({ subscriber_count: followers }) => count(followers))}
            {line('Days of record', 'age', ({ age_days: days }) => String(days))}
            {line('A month', 'price_a_month', ({ price }) => monthly(price))}
          </tbody>
        </table>
      </Scroll>
      <ShownMeaning shown={shown} />
      <TableFile label="Comparison" records={() => strategies.map(recordOf)} />
    </Panel>
  );
}
