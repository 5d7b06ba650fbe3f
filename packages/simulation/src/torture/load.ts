import { RequestFailed, Unreachable } from '@slipstream/client';
import { type Scene, STOCKS, clientOf, operatorOf } from './scene.js';
import { type Sent, ordersOf, send } from './sent.js';

/** A running load. */
export interface Load {
  /** Sent requests whose effect is unknown. */
  readonly unanswered: Sent[];
  readonly faults: string[];
  /** Resolves when every connection has stopped. */
  readonly done: Promise<void>;
  stop(): void;
}

export interface LoadOptions {
  readonly connections: number;
  readonly random: () => number;
  /** Part of the names of the load's requests. */
  readonly name: string;
  /** True if 503 is an expected answer: while the server drains or its disk is full. */
  readonly mayBeUnavailable?: boolean;
}

/** Connections that trade until the server ends or they are stopped. */
export function loadOn(scene: Scene, url: string, options: LoadOptions): Load {
  const unanswered: Sent[] = [];
  const faults: string[] = [];
  const { figures, promised, remembered } = scene;
  const { random } = options;
  const [client, operator] = [clientOf(url, scene.token), operatorOf(url)];
  let [stopped, sentSoFar] = [false, 0];
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const price = (): number => Math.round(9000 + random() * 2000) / 100;

  async function trade(strategyId: string): Promise<void> {
    const sent = drawn(strategyId);
    const total = sent.fields['total'];
    if (typeof total === 'string') promised.totals.add(total);
    unanswered.push(sent);
    try {
      sent.answer = await send(client, sent);
    } catch (error) {
      if (error instanceof RequestFailed && error.status !== 503)
        unanswered.splice(unanswered.indexOf(sent), 1);
      throw error;
    }
    unanswered.splice(unanswered.indexOf(sent), 1);
    for (const order of ordersOf(sent.answer)) promised.orders.add(order);
    if (random() < 0.2) remembered.push(sent);
  }

  function drawn(strategy_id: string): Sent {
    sentSoFar += 1;
    const number = sentSoFar;
    const name = `${options.name}-${number}`;
    const made = (sent: Pick<Sent, 'name' | 'fields'>, key: string | undefined = name): Sent => ({
      ...sent,
      strategyId: strategy_id,
      key,
      answer: undefined,
    });
    const stock_id = pick(STOCKS);
    const kind = random();
    if (kind < 0.2) {
      const allocations = STOCKS.map((stock) => ({
        stock_id: stock,
        percent: Math.round(random() * 120 - 60) / 100,
      }));
      return made({ name: 'newOrderAllocations', fields: { strategy_id, allocations } });
    }
    if (kind < 0.55) {
      const action = pick(['buy', 'sell', 'close']);
      const alert = { strategy_id, stock_id, action, leverage: 0.5, pyramiding: 3 };
      return made(
        { name: 'newOrderWebhook', fields: { ...alert, alert_id: name } },
        kind < 0.4 ? name : undefined,
      );
    }
    // A total of its own shows whether a request took effect twice.
    const total = `0.01${String(totalNumber(scene)).padStart(9, '0')}1`;
    const order = { strategy_id, stock_id, action: pick(['buy', 'sell']), total };
    return made({
      name: 'newOrder',
      fields: kind < 0.8 ? { ...order, type: 'limit', price: price() } : order,
    });
  }

  const steps: ((strategyId: string) => Promise<unknown>)[] = [
    trade,
    trade,
    trade,
    trade,
    () =>
      operator.newQuotes({
        quotes: STOCKS.map((stock_id) => {
          const bid = price();
          return { stock_id, bid, ask: Number((bid + 0.01).toFixed(2)), last: bid };
        }),
      }),
    async (strategy_id) => {
      for (const { trade_id } of await client.getTrades({ strategy_id }))
        promised.trades.add(trade_id);
    },
    async (strategy_id) => {
      const [order] = await client.getOrders({ strategy_id, limit: 1 });
      if (!order) return;
      await client.deleteOrder({ strategy_id, order_id: order.order_id });
      promised.cancelled.add(order.order_id);
    },
  ];

  async function work(): Promise<void> {
    while (!stopped) {
      figures.requests += 1;
      try {
        await pick(steps)(pick(scene.strategyIds));
        figures.answered += 1;
      } catch (error) {
        if (error instanceof Unreachable) {
          figures.unanswered += 1;
          return;
        }
        if (!(error instanceof RequestFailed)) throw error;
        if (error.status === 400) figures.refused += 1;
        else if (error.status === 503 && options.mayBeUnavailable) figures.unavailable += 1;
        else faults.push(`a request was answered ${error.status}: ${error.message}`);
      }
    }
  }

  const done = Promise.all(Array.from({ length: options.connections }, work)).then(() => undefined);
  return { unanswered, faults, done, stop: () => void (stopped = true) };
}

const totals = new WeakMap<Scene, number>();

/** A new number for each request of a scene: 1, 2, 3 … */
function totalNumber(scene: Scene): number {
  const number = (totals.get(scene) ?? 0) + 1;
  totals.set(scene, number);
  return number;
}

/** Repeats requests: unanswered ones twice; answered ones must get the same answer. */
export async function sendAgain(
  scene: Scene,
  url: string,
  unanswered: readonly Sent[],
): Promise<string[]> {
  const client = clientOf(url, scene.token);
  const { figures, promised, remembered } = scene;
  const faults: string[] = [];
  const answerOf = async (sent: Sent): Promise<string | undefined> => {
    figures.askedAgain += 1;
    try {
      return await send(client, sent);
    } catch (error) {
      if (error instanceof RequestFailed && error.status === 400) return undefined;
      throw error;
    }
  };
  const isSame = (sent: Sent, one: string, other: string | undefined): boolean =>
    sent.key !== undefined
      ? one === other
      : other !== undefined && ordersOf(one).join() === ordersOf(other).join();
  for (const sent of unanswered) {
    sent.answer = await answerOf(sent);
    if (sent.answer === undefined) continue;
    for (const order of ordersOf(sent.answer)) promised.orders.add(order);
    remembered.push(sent);
  }
  const old = remembered.slice(0, -20);
  const some = remembered.slice(-20);
  for (let drawn = 0; drawn < 5 && old.length > 0; drawn += 1) {
    const sent = old[(figures.askedAgain * 7919 + drawn) % old.length];
    if (sent) some.push(sent);
  }
  for (const sent of some) {
    const again = await answerOf(sent);
    if (sent.answer !== undefined && !isSame(sent, sent.answer, again))
      faults.push(
        `${sent.name} ${sent.key ?? String(sent.fields['alert_id'])} was answered ${sent.answer} and then ${again}`,
      );
  }
  return faults;
}
