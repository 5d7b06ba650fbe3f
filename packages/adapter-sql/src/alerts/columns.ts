import { type AlertRecord, type AnsweredOrder, Decimal, decimal } from '@slipstream/domain';
import { type Codec, type RowOf, columnsOf, integer, nullable, text } from '../storage/codec.js';

/** Marks a decimal inside a document, to distinguish it from a text. */
const TAG = '$decimal';

/** A copy with marked decimals. JSON's own replacer takes several times as long. */
function tagged(value: object): unknown {
  if (value instanceof Decimal) return { [TAG]: value.toFixed() };
  if (Array.isArray(value)) return value;
  const copy: Record<string, unknown> = { ...value };
  for (const name in copy) {
    const inner = copy[name];
    if (typeof inner === 'object' && inner !== null) copy[name] = tagged(inner);
  }
  return copy;
}

const untagged = (_: string, read: unknown): unknown =>
  typeof read === 'object' && read !== null && TAG in read ? decimal(String(read[TAG])) : read;

/** A record with its decimals; its lists contain texts. */
const document = <Value extends object>(): Codec<Value, string> => ({
  store: (value) => JSON.stringify(tagged(value)),
  load: (kept) => JSON.parse(kept, untagged) as Value,
});

export const alertColumns = columnsOf<AlertRecord>()({
  id: text(),
  userId: text(),
  tokenId: text(),
  strategyId: nullable(text()),
  stockId: nullable(text()),
  alertId: nullable(text()),
  verdict: text(),
  reason: nullable(text()),
  orderId: nullable(text()),
  body: nullable(text()),
  fingerprint: nullable(text()),
  answer: nullable(document<AnsweredOrder>()),
  createdAt: integer,
});

export interface AlertTables {
  /** SQLite's own `rowid` has the order of arrival: clocks may be set back. */
  readonly alerts: RowOf<typeof alertColumns> & { readonly rowid: number };
}
