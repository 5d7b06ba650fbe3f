import type { Client } from '@slipstream/client';

/** A request that can be sent again: with its key it must have its effect once. */
export interface Sent {
  readonly name: 'newOrder' | 'newOrderAllocations' | 'newOrderWebhook';
  readonly strategyId: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Undefined where only the alert_id tells that it is the same. */
  readonly key: string | undefined;
  /** The 200 answer as text; undefined when none came. */
  answer: string | undefined;
}

interface Ordered {
  readonly order_id: string;
  readonly amount: string | null;
}

/** Sends it; its answer as text. */
export async function send(client: Client, { name, fields, key }: Sent): Promise<string> {
  const method = client[name] as unknown as (
    fields: object,
    options: { readonly idempotencyKey?: string },
  ) => Promise<unknown>;
  return JSON.stringify(await method(fields, key === undefined ? {} : { idempotencyKey: key }));
}

/** The orders of an answer that are kept: an alert that trades nothing answers one that is not. */
export const ordersOf = (answer: string): string[] =>
  [JSON.parse(answer) as Ordered | Ordered[]]
    .flat()
    .filter(({ amount }) => amount !== '0')
    .map(({ order_id }) => order_id);
