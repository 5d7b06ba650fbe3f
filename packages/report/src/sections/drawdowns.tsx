import type { Drawdown } from '@slipstream/domain';
import type { JSX } from 'preact';
import { percent } from '../format.js';

/** The five deepest falls. */
export const Drawdowns = ({
  drawdowns,
}: {
  readonly drawdowns: readonly Drawdown[] | null;
}): JSX.Element => (
  <section>
    <h2>Deepest falls</h2>
    {drawdowns === null && <p>The record of this span does not keep all samples.</p>}
    {drawdowns?.length === 0 && <p>The value never fell below a peak.</p>}
    {drawdowns !== null && drawdowns.length > 0 && (
      <div class="wide">
        <table>
          <thead>
            <tr>
              <th scope="col" class="number">
                Depth
              </th>
              <th scope="col">Peak</th>
              <th scope="col">Valley</th>
              <th scope="col">Back at the peak</th>
              <th scope="col" class="number">
                Days
              </th>
            </tr>
          </thead>
          <tbody>
            {drawdowns.map(({ depth, start, valley, end, days }) => (
              <tr>
                <td class="number loss">{percent(depth)}</td>
                <td class="date">{start}</td>
                <td class="date">{valley}</td>
                <td class="date">{end ?? 'not yet'}</td>
                <td class="number">{days}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </section>
);
