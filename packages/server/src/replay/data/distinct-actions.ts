import { decimal } from '@slipstream/domain';
import type { DataAction, Dropped } from './bar.js';

/** Whether a later row says what an earlier one of that stock, day and kind has said. One file can have two dividends of a day. */
const isRepeated = (earlier: DataAction, later: DataAction): boolean =>
  earlier.kind === 'split' ||
  earlier.file !== later.file ||
  (later.kind === 'dividend' && decimal(earlier.amount).eq(decimal(later.amount)));

/** Leaves out splits and dividends that another line or file has given: each would be booked twice. */
export function distinctActions(
  actions: readonly DataAction[],
  drop: (dropped: Dropped) => void,
): DataAction[] {
  const known = new Map<string, DataAction[]>();
  return actions.filter((action) => {
    const { symbol, exDate, kind, file, line } = action;
    const key = [symbol, exDate, kind].join(' ');
    const same = known.get(key) ?? [];
    known.set(key, [...same, action]);
    const before = same.find((one) => isRepeated(one, action));
    if (before) drop({ file, line, reason: `its ${kind} is in ${before.file}:${before.line} too` });
    return before === undefined;
  });
}
