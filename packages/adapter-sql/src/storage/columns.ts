import type { IdempotencyRecord } from '@slipstream/ports';
import { type RowOf, columnsOf, integer, nullable, text } from './codec.js';

export const keptAnswerColumns = columnsOf<IdempotencyRecord>()({
  name: text(),
  bodyMac: text(),
  sealedAnswer: nullable(text()),
  userId: nullable(text()),
  createdAt: integer,
});

/** The proof of the master key that a start checks. */
export const keyProofColumns = columnsOf<{ readonly name: string; readonly sealed: string }>()({
  name: text(),
  sealed: text(),
});

export interface RequestTables {
  /** Updated by triggers alone. */
  readonly counts: { readonly name: string; readonly count: number };
  readonly kept_answers: RowOf<typeof keptAnswerColumns>;
  readonly key_proofs: RowOf<typeof keyProofColumns>;
}
