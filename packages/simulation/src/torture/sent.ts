import type { Client } from '@slipstream/client';

/** A trading request. One that can be repeated must take effect once. */
export interface Sent {
  readonly name: 'newOrder' | 'newOrderAllocations' | 'newOrderWebhook';
  readonly strategyId: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Undefined if at most the alert_id identifies it. */
  readonly key: string | undefined;
  /** The text of the 200 answer; undefined if none arrived. */
  answer: string | undefined;
}

/** Without a key or an alert_id, nobody knows that a request was sent before. */
export const isRepeatable = ({ key, fields }: Sent): boolean =>
  key !== undefined || fields['alert_id'] !== undefined;

interface Ordered {
  readonly order_id: string;
  readonly amount: string | null;
}

/** Sends it and returns the text of the answer. */
export async function send(client: Client, { name, fields, key }: Sent): Promise<string> {
  const method = client[name] as unknown as (
    fields: object,
    options: { readonly idempotencyKey?: string },
  ) => Promise<unknown>;
  return JSON.stringify(await method(fields, key === undefined ? {} : { idempotencyKey: key }));
}

/** The stored orders of an answer: an alert that trades nothing answers an order that is not stored. */
export const ordersOf = (answer: string): string[] =>
  [JSON.parse(answer) as Ordered | Ordered[]]
    .flat()
    .filter(({ amount }) => amount !== '0')
    .map(({ order_id }) => order_id);
