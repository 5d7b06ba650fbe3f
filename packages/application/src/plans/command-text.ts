import { Decimal, decimal } from '@slipstream/domain';

/**
 * A command as a text that gives back the same command: every digit of a decimal stays. A list and a decimal are lists that begin
 * with their kind, so that no field's name can be mistaken for one.
 */
export const commandText = (command: unknown): string => JSON.stringify(packed(command));

/** The command of such a text. */
export const commandOf = (text: string): unknown => unpacked(JSON.parse(text));

function packed(value: unknown): unknown {
  if (value instanceof Decimal) return ['decimal', value.toFixed()];
  if (Array.isArray(value)) return ['list', ...value.map(packed)];
  return mapped(value, packed);
}

function unpacked(value: unknown): unknown {
  if (!Array.isArray(value)) return mapped(value, unpacked);
  const [kind, ...items] = value as unknown[];
  return kind === 'decimal' ? decimal(String(items[0])) : items.map(unpacked);
}

const mapped = (value: unknown, map: (inner: unknown) => unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, map(inner)]))
    : value;
