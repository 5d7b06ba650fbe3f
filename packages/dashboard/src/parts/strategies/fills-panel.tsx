import { change, exactMoment, price, quantity, tone } from '../../figures/format.js';
import { useChannel } from '../../service/live.js';
import { useRead } from '../../service/read.js';
import type { Strategy } from '../../service/records.js';
import { Download } from '../common/download.js';
import { Panel, Scroll } from '../common/panel.js';
import { Shown } from '../common/shown.js';

/** The latest fills, newest first. */
export function FillsPanel({ strategy }: { readonly strategy: Strategy }) {
  const id = strategy.strategy_id;
  const version = useChannel('wsPositions', id).value.data?.version;
  const fills = useRead(`fills ${id} ${version}`, (client) =>
    client.getTrades({ strategy_id: id, limit: 20 }),
  );
  return (
    <Panel
      title="Fills"
      aside={
        <Download
          label="All as CSV"
          name={`trades-${id}.csv`}
          ask={(client) => client.getTrades({ strategy_id: id, format: 'csv' })}
        />
      }
    >
      <Shown of={fills}>
        {(trades) =>
          trades.length === 0 ? (
            <p class="quiet">No fills yet.</p>
          ) : (
            <Scroll label="Fills">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Time</th>
                    <th scope="col">Fill</th>
                    <th scope="col" class="number">
                      Price
                    </th>
                    <th scope="col" class="number wide">
                      Fee
                    </th>
                    <th scope="col" class="number">
                      Realized
                    </th>
                    <th scope="col" class="wide">
                      Prices
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {trades.map((trade) => (
                    <tr key={trade.trade_id}>
                      <td class="small">{exactMoment(trade.created_at)}</td>
                      <td>
                        <span class={trade.action === 'buy' ? 'up' : 'down'}>{trade.action}</span>{' '}
                        {quantity(trade.amount)} <b>{trade.symbol}</b>
                      </td>
                      <td class="number">{price(trade.price)}</td>
                      <td class="number wide">{quantity(trade.fee_total)}</td>
                      <td class={`number ${tone(trade.realized)}`}>{change(trade.realized)}</td>
                      <td class="wide small quiet">{trade.market}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scroll>
          )
        }
      </Shown>
    </Panel>
  );
}
