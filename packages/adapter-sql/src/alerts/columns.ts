import { type AlertRecord, type AnsweredOrder, Decimal, decimal } from '@slipstream/domain';
import { STORED_BESIDE_TEXT } from '@slipstream/ports';
import {
  type Codec,
  type RowOf,
  type Stored,
  columnsOf,
  integer,
  nullable,
  text,
} from '../storage/codec.js';

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

const textOf = (value: object): string => JSON.stringify(tagged(value));

/** The texts of stocks and quotes: they are immutable, and most answers name the same ones. */
const texts = new WeakMap<object, string>();

function sharedText(value: object): string {
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = textOf(value);
  texts.set(value, text);
  return text;
}

/** An answer with its decimals; its lists contain texts. */
const answerText: Codec<AnsweredOrder, string> = {
  store: ({ stock, quote, order, waitingReason }) =>
    `{"stock":${sharedText(stock)},${quote ? `"quote":${sharedText(quote)},` : ''}"order":${textOf(order)},"waitingReason":${JSON.stringify(waitingReason)}}`,
  load: (kept) => JSON.parse(kept, untagged) as AnsweredOrder,
};

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
  answer: nullable(answerText),
  createdAt: integer,
});

/** The columns of an alert, to write it: with what it counts for in its user's storage. */
export const storedAlertColumns = {
  names: [...alertColumns.names, 'octets'],
  store: (record: AlertRecord): Stored[] => {
    const stored = alertColumns.store(record);
    stored.push(STORED_BESIDE_TEXT + Buffer.byteLength(record.body ?? ''));
    return stored;
  },
};

export interface AlertTables {
  /**
   * SQLite's own `rowid` has the order of arrival: clocks may be set back. Alerts from before the column existed have no
   * `octets`.
   */
  readonly alerts: RowOf<typeof alertColumns> & {
    readonly rowid: number;
    readonly octets: number | null;
  };
}
