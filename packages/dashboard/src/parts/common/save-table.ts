import { csvOf } from '../../figures/csv.js';
import { save } from './download.js';

/** Saves records as a file that is named after their table. */
export const saveTable = (
  label: string,
  records: readonly Readonly<Record<string, unknown>>[],
): void => save(`${label.toLowerCase().replaceAll(' ', '-')}.csv`, csvOf(records));
