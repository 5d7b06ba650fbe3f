import { type Timestamp, mergeable } from '@slipstream/domain';

/** The buckets old enough to merge, oldest first: few, because this is done every hour. */
export async function aged<Bucket extends { readonly start: Timestamp }>(
  shorterBefore: (before: Timestamp, length: number) => Promise<readonly Bucket[]>,
  now: Timestamp,
): Promise<Bucket[]> {
  const found = new Map<Timestamp, Bucket>();
  for (const { before, length } of mergeable(now))
    for (const bucket of await shorterBefore(before, length)) found.set(bucket.start, bucket);
  return [...found.values()].sort((one, other) => one.start - other.start);
}
