import { setTimeout as wait } from 'node:timers/promises';
import { type Client, RequestFailed, Unreachable } from '@slipstream/client';
import { type DrawOptions, drawing, drawnQuotes, pick } from './drawn.js';
import { type Trading, clientOf, operatorOf } from './scene.js';
import { type Sent, isRepeatable, ordersOf, send } from './sent.js';

/** A running load. */
export interface Load {
  /** Sent requests whose effect is unknown, and that can be sent again. */
  readonly unanswered: Sent[];
  /** The ids of requests that were told to come again: nothing of them was done. */
  readonly unavailable: string[];
  readonly faults: string[];
  /** Resolves when every connection has stopped. */
  readonly done: Promise<void>;
  stop(): void;
}

export interface LoadOptions extends DrawOptions {
  readonly connections: number;
  /** True if 503 is an expected answer: while the server drains or its disk is full. */
  readonly mayBeUnavailable?: boolean;
  /** True if a connection whose request was not answered goes on, at whichever server it has then. */
  readonly goesOn?: boolean;
  /** The most milliseconds between two requests of a connection. */
  readonly pause?: number;
  /** Called when a trading request of the connection was answered with 200. */
  readonly onTraded?: (connection: number) => void;
  /** Called with how long an answer, or the end of the connection, took. */
  readonly onWaited?: (connection: number, milliseconds: number) => void;
}

/** One server as the load sees it. */
interface Callers {
  readonly client: Client;
  readonly operator: Client;
}

/** How long a connection rests that nobody answers, in milliseconds. */
const REST = 20;

/** Connections that trade, each at the server that `urlOf` names if it names one, until that ends or they are stopped. */
export function loadOn(
  trading: Trading,
  urlOf: (connection: number) => string | undefined,
  options: LoadOptions,
): Load {
  const unanswered: Sent[] = [];
  const unavailable: string[] = [];
  const faults: string[] = [];
  const { figures, promised, remembered } = trading;
  const { random, pause = 0 } = options;
  const draw = drawing(trading, options);
  const callers = new Map<string, Callers>();
  let stopped = false;

  const callersAt = (url: string): Callers => {
    const known = callers.get(url);
    if (known) return known;
    const made = { client: clientOf(url, trading.token), operator: operatorOf(url) };
    callers.set(url, made);
    return made;
  };

  async function trade({ client }: Callers, strategyId: string, connection: number): Promise<void> {
    const sent = draw(strategyId);
    const total = sent.fields['total'];
    if (typeof total === 'string') promised.totals.add(total);
    if (isRepeatable(sent)) unanswered.push(sent);
    const forget = (): void => {
      const at = unanswered.indexOf(sent);
      if (at >= 0) unanswered.splice(at, 1);
    };
    try {
      sent.answer = await send(client, sent);
    } catch (error) {
      if (error instanceof RequestFailed && error.status !== 503) forget();
      throw error;
    }
    forget();
    options.onTraded?.(connection);
    for (const order of ordersOf(sent.answer)) promised.orders.add(order);
    if (isRepeatable(sent) && random() < 0.2) remembered.push(sent);
  }

  const steps: ((at: Callers, strategyId: string, connection: number) => Promise<unknown>)[] = [
    trade,
    trade,
    trade,
    trade,
    ({ operator }) => operator.newQuotes(drawnQuotes(random)),
    async ({ client }, strategy_id) => {
      for (const { trade_id } of await client.getTrades({ strategy_id }))
        promised.trades.add(trade_id);
    },
    async ({ client }, strategy_id) => {
      const [order] = await client.getOrders({ strategy_id, limit: 1 });
      if (!order) return;
      await client.deleteOrder({ strategy_id, order_id: order.order_id });
      promised.cancelled.add(order.order_id);
    },
  ];

  async function work(connection: number): Promise<void> {
    while (!stopped) {
      const url = urlOf(connection);
      if (url === undefined) {
        await wait(REST);
        continue;
      }
      figures.requests += 1;
      const begun = performance.now();
      try {
        const strategyId = pick(random, trading.strategyIds);
        await pick(random, steps)(callersAt(url), strategyId, connection);
        figures.answered += 1;
      } catch (error) {
        if (error instanceof Unreachable) {
          figures.unanswered += 1;
          if (options.goesOn !== true) return;
          await wait(REST);
        } else if (!(error instanceof RequestFailed)) throw error;
        else if (error.status === 400) figures.refused += 1;
        else if (error.status === 503 && options.mayBeUnavailable === true) {
          figures.unavailable += 1;
          if (error.requestId !== null) unavailable.push(error.requestId);
        } else faults.push(`a request was answered ${error.status}: ${error.message}`);
      }
      options.onWaited?.(connection, performance.now() - begun);
      if (pause > 0) await wait(random() * pause);
    }
  }

  const all = Array.from({ length: options.connections }, (_, connection) => work(connection));
  const done = Promise.all(all).then(() => undefined);
  return { unanswered, unavailable, faults, done, stop: () => void (stopped = true) };
}
