import { everyPage } from '../torture/over-http.js';
import { type Trading, clientOf } from '../torture/scene.js';

interface State {
  readonly cash: string;
  readonly positions: readonly { readonly stock_id: string; readonly amount: string }[];
  readonly orders: readonly { readonly order_id: string }[];
}

/** What commits alone change of a strategy, as a text to compare: no prices. */
export const stateOf = ({ cash, positions, orders }: State): string =>
  JSON.stringify({
    cash,
    positions: positions.map(({ stock_id, amount }) => `${stock_id} ${amount}`).sort(),
    open: orders.map(({ order_id }) => order_id).sort(),
  });

/** The same as a node answers it. */
export async function answeredState(
  { token }: Trading,
  url: string,
  strategy_id: string,
): Promise<string> {
  const client = clientOf(url, token);
  const orders = await everyPage(
    (from) => client.getOrders({ strategy_id, order_status: 'open', ...from }),
    ({ order_id }) => order_id,
  );
  return stateOf({ ...(await client.getPositions({ strategy_id })), orders });
}
