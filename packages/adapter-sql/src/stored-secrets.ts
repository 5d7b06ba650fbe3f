/** Secrets of one kind that the same master key encrypted. */
export interface StoredSecrets {
  /** What they are, in the plural. */
  readonly kind: string;
  /** The beginning of their texts, which says which master key it was. */
  readonly beginning: string;
  readonly count: number;
}

/**
 * The proof that the key is the right one, and what is lost to its users without the key. Answers that are kept for a repeated request
 * are left out, because they are many and gone a day later.
 */
const SECRETS = {
  proof: 'SELECT sealed AS text FROM key_proofs',
  bots: 'SELECT sealed_credentials AS text FROM bots',
  'payment sources':
    'SELECT sealed_details AS text FROM payment_sources WHERE sealed_details IS NOT NULL',
  'second factors': 'SELECT second_factor AS text FROM users WHERE second_factor IS NOT NULL',
  endpoints: 'SELECT sealed_target AS text FROM endpoints',
  mails: 'SELECT sealed_text AS text FROM mails',
} as const;

type Rows = readonly { readonly text: string }[];

/** Those of a database with the schema of this release; `read` answers the rows of a query. */
export async function storedSecrets(
  read: (sql: string) => Rows | Promise<Rows>,
): Promise<StoredSecrets[]> {
  const all: StoredSecrets[] = [];
  for (const [kind, sql] of Object.entries(SECRETS)) {
    const counts = new Map<string, number>();
    for (const { text } of await read(sql)) {
      const [beginning] = /v1\.[^."]+/.exec(text) ?? [];
      if (beginning !== undefined) counts.set(beginning, (counts.get(beginning) ?? 0) + 1);
    }
    for (const [beginning, count] of counts) all.push({ kind, beginning, count });
  }
  return all;
}
