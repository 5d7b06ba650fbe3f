import { Ended } from './housekeeping/ended.js';

/**
 * Runs parts that do not depend on each other, one after the other, also after one of them failed. Then it throws the failure, or all of
 * them as one. When the process ends it begins no further part.
 */
export async function runEach(parts: Iterable<() => Promise<unknown>>): Promise<void> {
  const failures: unknown[] = [];
  for (const part of parts) {
    try {
      await part();
    } catch (error) {
      if (error instanceof Ended) throw error;
      failures.push(error);
    }
  }
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, failures.map(String).join('; '));
}
