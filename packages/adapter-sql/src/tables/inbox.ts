import { type AlertRecord, type AnsweredOrder, Decimal, decimal } from '@slipstream/domain';
import type { KeptAnswer } from '@slipstream/ports';
import { type Codec, type RowOf, columnsOf, integer, nullable, text } from '../storage/codec.js';

/** How a decimal is told from a text inside a document. */
const TAG = '$decimal';

/** A copy in which decimals are told from texts. JSON's own way to replace them costs several times as much. */
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

/** A record with its decimals; its lists are of texts. */
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

export const keptAnswerColumns = columnsOf<KeptAnswer>()({
  name: text(),
  bodyMac: text(),
  sealedAnswer: nullable(text()),
  userId: nullable(text()),
  createdAt: integer,
});

/** What requests leave behind, so that a repeat of one is known. */
export interface InboxTables {
  /** `rowid`, SQLite's own, tells in which order they came: clocks may be set back. */
  readonly alerts: RowOf<typeof alertColumns> & { readonly rowid: number };
  readonly kept_answers: RowOf<typeof keptAnswerColumns>;
}

export const inboxSchema = `
CREATE TABLE alerts (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  token_id TEXT NOT NULL,
  strategy_id TEXT,
  stock_id TEXT,
  alert_id TEXT,
  verdict TEXT NOT NULL,
  reason TEXT,
  order_id TEXT,
  body TEXT,
  fingerprint TEXT,
  answer TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX alerts_of_strategy ON alerts (strategy_id, created_at, id);
CREATE INDEX alerts_of_user ON alerts (user_id, created_at, id);
CREATE INDEX alerts_by_alert_id ON alerts (strategy_id, alert_id) WHERE alert_id IS NOT NULL;
CREATE INDEX alerts_by_order ON alerts (order_id) WHERE answer IS NOT NULL;
CREATE INDEX alerts_by_fingerprint ON alerts (strategy_id, fingerprint, created_at, id) WHERE answer IS NOT NULL;
CREATE INDEX alerts_by_age ON alerts (created_at, id);

CREATE TABLE kept_answers (
  name TEXT PRIMARY KEY,
  body_mac TEXT NOT NULL,
  sealed_answer TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX kept_answers_by_age ON kept_answers (created_at);
`;
