import { id } from '@slipstream/domain';
import type { Ids } from '@slipstream/ports';

/** `prefix` and a count, with leading zeros so that later ids sort after earlier ones. */
export function countingIds(prefix = 'id-'): Ids {
  let count = 0;
  return {
    next: <Kind extends string>() => {
      count += 1;
      return id<Kind>(`${prefix}${String(count).padStart(8, '0')}`);
    },
  };
}
