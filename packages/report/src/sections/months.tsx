import type { JSX } from 'preact';
import { YearBars } from '../charts/year-bars.js';
import { signedPoints, toneOf } from '../format.js';
import { STRENGTHS } from '../style.js';
import type { YearReturn } from '../years.js';

const MONTH_NAMES = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** The class of a cell's colour: a return of a tenth has the strongest. */
const strengthOf = (text: string): string =>
  `s${Math.round(Math.min(1, Math.abs(Number(text)) / 0.1) * STRENGTHS)}`;

const Cell = ({ month }: { readonly month: YearReturn['months'][number] }): JSX.Element =>
  month ? (
    <td class={`heat ${toneOf(month.return) ?? ''} ${strengthOf(month.return)}`}>
      {signedPoints(month.return)}
      {month.partial ? '*' : ''}
    </td>
  ) : (
    <td />
  );

/** The table of months and the bars of years. */
export const Months = ({ years }: { readonly years: readonly YearReturn[] }): JSX.Element => (
  <section>
    <h2>Months and years</h2>
    <YearBars years={years} />
    <div class="wide">
      <table class="months">
        <thead>
          <tr>
            <th scope="col">Year</th>
            {MONTH_NAMES.map((name) => (
              <th scope="col" class="number">
                {name}
              </th>
            ))}
            <th scope="col" class="number">
              Year
            </th>
          </tr>
        </thead>
        <tbody>
          {years.map(({ year, text, months }) => (
            <tr>
              <th scope="row">{year}</th>
              {months.map((month) => (
                <Cell month={month} />
              ))}
              <td class={`number ${toneOf(text) ?? ''}`}>
                <strong>{signedPoints(text)}</strong>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    <p class="quiet">Returns in percent. * The span lacks days of this month.</p>
  </section>
);
