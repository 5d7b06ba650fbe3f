import type { JSX } from 'preact';
import type { RefusedRequest, ReportSegment, ReportTrade } from '../content.js';
import { percent, shortTime, signedPercent, toneOf } from '../format.js';

/** The page shows so many of the last trades and refusals; the files beside it have all. */
const SHOWN = 500;

const Cut = ({
  all,
  file,
}: {
  readonly all: number;
  readonly file?: string;
}): JSX.Element | null =>
  all > SHOWN ? (
    <p class="quiet">
      The last {SHOWN} of {all}
      {file ? `; all of them are in ${file}` : ''}.
    </p>
  ) : null;

/** The fills, the newest first. */
export const Trades = ({ trades }: { readonly trades: readonly ReportTrade[] }): JSX.Element => (
  <section>
    <h2>Trades</h2>
    <Cut all={trades.length} file="trades.csv" />
    {trades.length === 0 ? (
      <p>There is none.</p>
    ) : (
      <div class="wide">
        <table>
          <thead>
            <tr>
              <th scope="col">Time (UTC)</th>
              <th scope="col">Trade</th>
              <th scope="col" class="number">
                Amount
              </th>
              <th scope="col" class="number">
                Price
              </th>
              <th scope="col" class="number">
                Fee
              </th>
              <th scope="col" class="number">
                Value after it
              </th>
            </tr>
          </thead>
          <tbody>
            {trades
              .slice(-SHOWN)
              .toReversed()
              .map(({ at, action, stock, amount, price, fee, strategyValue }) => (
                <tr>
                  <td>{shortTime(at)}</td>
                  <td>
                    <span class={action === 'buy' ? 'gain' : 'loss'}>{action}</span> {stock}
                  </td>
                  <td class="number">{amount}</td>
                  <td class="number">{price}</td>
                  <td class="number">{fee}</td>
                  <td class="number">{strategyValue ?? '–'}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    )}
  </section>
);

/** The requests that were refused, the newest first, with their reasons. */
export const Refused = ({
  refused,
}: {
  readonly refused: readonly RefusedRequest[];
}): JSX.Element => (
  <section>
    <h2>Refused</h2>
    <Cut all={refused.length} />
    {refused.length === 0 ? (
      <p>Nothing was refused.</p>
    ) : (
      <div class="wide">
        <table>
          <thead>
            <tr>
              <th scope="col">Time (UTC)</th>
              <th scope="col">Request</th>
              <th scope="col">Reason</th>
            </tr>
          </thead>
          <tbody>
            {refused
              .slice(-SHOWN)
              .toReversed()
              .map(({ at, request, reason }) => (
                <tr>
                  <td>{shortTime(at)}</td>
                  <td>{request}</td>
                  <td>{reason}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    )}
  </section>
);

/** The parts of the record; figures never reach across a segment's start. */
export const Segments = ({
  segments,
}: {
  readonly segments: readonly ReportSegment[];
}): JSX.Element => (
  <section>
    <h2>Segments of the record</h2>
    <div class="wide">
      <table>
        <thead>
          <tr>
            <th scope="col">From (UTC)</th>
            <th scope="col">To</th>
            <th scope="col">Basis</th>
            <th scope="col">Began because</th>
            <th scope="col" class="number">
              Return
            </th>
            <th scope="col" class="number">
              Maximum drawdown
            </th>
          </tr>
        </thead>
        <tbody>
          {segments.map(({ from, to, basis, reason, return: growth, maxDrawdown }) => (
            <tr>
              <td>{shortTime(from)}</td>
              <td>{to === null ? 'now' : shortTime(to)}</td>
              <td>{basis}</td>
              <td>{reason}</td>
              <td class={`number ${toneOf(growth) ?? ''}`}>
                {growth === null ? '–' : signedPercent(growth)}
              </td>
              <td class="number">{maxDrawdown === null ? '–' : percent(maxDrawdown)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    <p class="quiet">The figures above are of the last segment. None reaches across a start.</p>
  </section>
);
