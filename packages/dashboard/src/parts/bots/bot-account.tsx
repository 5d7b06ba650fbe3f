import { dollars, percent, price, quantity } from '../../figures/format.js';
import type { Bot } from '../../service/folds.js';
import { useRead } from '../../service/read.js';
import { Figure, Figures } from '../common/figure.js';
import { Panel, Scroll } from '../common/panel.js';
import { Shown } from '../common/shown.js';

/** The brokerage account of a bot as it is now. */
export function BotAccountPanel({ bot }: { readonly bot: Bot }) {
  const account = useRead(
    `account ${bot.bot_id} ${bot.updated_at}`,
    (client) => client.getBotAccount({ bot_id: bot.bot_id }),
    5_000,
  );
  const ids = account.data?.positions.map(({ stock_id }) => stock_id) ?? [];
  const names = useRead(ids.length > 0 ? `names ${ids.join(' ')}` : null, (client) =>
    client.getStocks({ stock_id: ids.slice(0, 100) }),
  );
  const nameOf = (id: string): string =>
    names.data?.find(({ stock_id }) => stock_id === id)?.symbol ?? id.slice(0, 8);
  return (
    <Panel
      title="Account"
      aside={
        <span class={`tag ${bot.live ? 'real' : 'caution'}`}>
          {bot.live ? 'real money' : 'not real money'}
        </span>
      }
    >
      <Shown of={account} height="8rem">
        {({ equity, cash, drift, positions }) => (
          <>
            <Figures>
              <Figure label="Equity">
                <span class="amount">{dollars(equity)}</span>
              </Figure>
              <Figure label="Cash">
                <span class="amount">{dollars(cash)}</span>
              </Figure>
              <Figure
                label="Drift"
                what="The largest difference between a holding and its target, as a part of equity."
              >
                {percent(drift)}
              </Figure>
            </Figures>
            {positions.length === 0 ? (
              <p class="quiet">The account holds no positions.</p>
            ) : (
              <Scroll label="Holdings">
                <table>
                  <thead>
                    <tr>
                      <th scope="col">Instrument</th>
                      <th scope="col" class="number">
                        Amount
                      </th>
                      <th scope="col" class="number wide">
                        Kept
                      </th>
                      <th scope="col" class="number">
                        Price
                      </th>
                      <th scope="col" class="number">
                        Value
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {positions.map((position) => (
                      <tr key={position.stock_id}>
                        <td>
                          <b>{nameOf(position.stock_id)}</b>
                        </td>
                        <td class="number amount">{quantity(position.amount)}</td>
                        <td
                          class="number wide amount"
                          title="What was in the account before; the bot never trades it."
                        >
                          {quantity(position.kept)}
                        </td>
                        <td class="number">{price(position.price)}</td>
                        <td class="number amount">{dollars(position.value)}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </Scroll>
            )}
          </>
        )}
      </Shown>
    </Panel>
  );
}
