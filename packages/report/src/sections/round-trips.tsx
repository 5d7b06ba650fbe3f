import type { RoundTripFigures, StatisticsView } from '@slipstream/domain';
import type { JSX } from 'preact';
import { TRIP_FIGURES } from '../definitions.js';
import { toneOf, written } from '../format.js';

const BY_STOCK = TRIP_FIGURES.filter(({ name }) =>
  ['count', 'winRate', 'profitFactor', 'expectancy', 'averageDays'].includes(name),
);

type TripFigure = (typeof TRIP_FIGURES)[number];

const Value = ({ trips, name, form }: { readonly trips: RoundTripFigures } & TripFigure) => (
  <td class={`number ${(form === 'signed' && toneOf(trips[name].value)) || ''}`}>
    {written(trips[name].value, form)}
  </td>
);

/** All round trips, long and short apart, and by stock. */
export const RoundTrips = ({
  trips: { all, long, short, byStock },
}: {
  readonly trips: StatisticsView['roundTrips'];
}): JSX.Element => (
  <section>
    <h2>Round trips</h2>
    <div class="wide">
      <table>
        <thead>
          <tr>
            <th scope="col">Figure</th>
            <th scope="col" class="number">
              All
            </th>
            <th scope="col" class="number">
              Long
            </th>
            <th scope="col" class="number">
              Short
            </th>
            <th scope="col">Definition</th>
          </tr>
        </thead>
        <tbody>
          {TRIP_FIGURES.map((figure) => (
            <tr>
              <th scope="row">{figure.label}</th>
              <Value trips={all} {...figure} />
              <Value trips={long} {...figure} />
              <Value trips={short} {...figure} />
              <td class="quiet">{figure.definition}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    {byStock !== null && byStock.length > 0 && (
      <div class="wide">
        <table>
          <caption>By stock</caption>
          <thead>
            <tr>
              <th scope="col">Stock</th>
              {BY_STOCK.map(({ label }) => (
                <th scope="col" class="number">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {byStock.map((trips) => (
              <tr>
                <th scope="row">{trips.symbol ?? trips.stockId}</th>
                {BY_STOCK.map((figure) => (
                  <Value trips={trips} {...figure} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </section>
);
