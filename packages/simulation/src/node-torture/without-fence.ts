import pg from 'pg';

/**
 * A deliberate bug, loaded before the server: its transactions prove no ownership any more. Each lock of the fence is
 * replaced by a statement that answers one row and locks nothing.
 */
const FENCE = /^SELECT 1 FROM (nodes|shards) WHERE .* FOR (KEY )?SHARE$/;

interface Sent {
  readonly text: string;
  readonly name?: string;
  readonly values: readonly unknown[];
}

type AnyQuery = (given: unknown) => unknown;
const prototype = pg.Client.prototype as unknown as { query: AnyQuery };
const { query } = prototype;

prototype.query = function without(this: pg.Client, given: unknown): unknown {
  const { text } = given as Partial<Sent>;
  const sent = text !== undefined && FENCE.test(text) ? { text: 'SELECT 1', values: [] } : given;
  return query.call(this, sent);
};
