import { change, count, monthly, tone, value } from '../../figures/format.js';
import { useChannel } from '../../service/live.js';
import { type Strategy, TIMEFRAMES, type Timeframe, inTimeframe } from '../../service/records.js';
import { Basis } from '../common/basis.js';
import { Scroll } from '../common/panel.js';

const labelOf = (timeframe: Timeframe): string =>
  TIMEFRAMES.find(([name]) => name === timeframe)?.[1] ?? timeframe;

/** The value of a strategy as it moves. */
export function LiveValue({ strategy }: { readonly strategy: Strategy }) {
  const live = useChannel('wsStrategyValue', strategy.strategy_id).value.data;
  return <>{value(live ? live.strategy_value : strategy.strategy_value)}</>;
}

/** A signed fraction in its colour. */
export const Change = ({ of }: { readonly of: string | null | undefined }) => (
  <span class={tone(of)}>{change(of)}</span>
);

/** Strategies as rows. The columns that matter most are there on a phone too. */
export function StrategiesTable(props: {
  readonly strategies: readonly Strategy[];
  readonly timeframe: Timeframe;
  readonly chosen?: readonly string[];
  readonly onChoose?: (strategy: Strategy) => void;
}) {
  const { timeframe, chosen, onChoose } = props;
  return (
    <Scroll label="Strategies">
      <table>
        <thead>
          <tr>
            <th scope="col">Strategy</th>
            <th scope="col" class="number">
              Value
            </th>
            <th scope="col" class="number wide">
              24 h
            </th>
            <th scope="col" class="number">
              {labelOf(timeframe)}
            </th>
            <th scope="col" class="number wide">
              Drawdown
            </th>
            <th scope="col" class="number wide">
              Rank
            </th>
            <th scope="col" class="number wide">
              Followers
            </th>
            <th scope="col" class="number wide">
              Days
            </th>
            <th scope="col" class="number">
              Month
            </th>
            {onChoose && (
              <th scope="col" class="wide">
                Compare
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {props.strategies.map((strategy) => {
            const figures = inTimeframe(strategy, timeframe);
            return (
              <tr key={strategy.strategy_id}>
                <td>
                  <a href={`/strategies/${strategy.strategy_id}`}>
                    <b>{strategy.name}</b>
                  </a>
                  <div class="small quiet">
                    {strategy.type === 'stock' ? 'stocks' : 'coins'}
                    {strategy.owner.name !== null && ` by ${strategy.owner.name}`}
                    {strategy.private && ' · private'}
                    {strategy.ended_at !== null && ' · ended'} <Basis of={strategy.basis} />
                  </div>
                </td>
                <td class="number">
                  <LiveValue strategy={strategy} />
                </td>
                <td class="number wide">
                  <Change of={inTimeframe(strategy, 'day')?.return} />
                </td>
                <td class="number">
                  <Change of={figures?.return} />
                </td>
                <td class="number wide">
                  {figures ? <Change of={negative(figures.max_drawdown)} /> : '–'}
                </td>
                <td class="number wide">{count(figures?.rank_top)}</td>
                <td class="number wide">{count(strategy.subscriber_count)}</td>
                <td class="number wide">{strategy.age_days}</td>
                <td class="number">{monthly(strategy.price)}</td>
                {onChoose && (
                  <td class="wide">
                    <input
                      type="checkbox"
                      aria-label={`Compare ${strategy.name}`}
                      checked={chosen?.includes(strategy.strategy_id) ?? false}
                      onChange={() => onChoose(strategy)}
                    />
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </Scroll>
  );
}

/** A drawdown, which the service tells as a positive fraction, with its sign. */
export const negative = (text: string): string =>
  text.startsWith('-') || tone(text) === '' ? text : `-${text}`;
