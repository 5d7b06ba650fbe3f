import { ZERO } from '@slipstream/domain';
import { anyDecimal } from '../fields/decimals.js';

type Side = 'long' | 'short';

const SIDES: ReadonlyMap<unknown, Side> = new Map([
  ['buy', 'long'],
  ['long', 'long'],
  ['sell', 'short'],
  ['short', 'short'],
]);

/** What other services' messages call the position that the alert leads to, without case and underscores. */
const POSITIONS = ['marketposition', 'currentposition', 'position', 'positionside', 'sentiment'];

const OF_POSITION: ReadonlyMap<string, Side | 'flat'> = new Map([
  ['long', 'long'],
  ['bullish', 'long'],
  ['short', 'short'],
  ['bearish', 'short'],
  ['flat', 'flat'],
]);

const wordOf = (value: unknown): string => String(value).trim().toLowerCase();

/** What a field says against the side; undefined if it says nothing of the position, or the same. */
function against(name: string, value: unknown, side: Side): string | undefined {
  const plain = name.toLowerCase().replaceAll('_', '');
  const word = wordOf(value);
  if (POSITIONS.includes(plain)) {
    const told = OF_POSITION.get(word);
    return told === undefined || told === side ? undefined : `${name} says ${word}`;
  }
  if (plain === 'positionsize' && anyDecimal(value)?.eq(ZERO)) return `${name} says 0`;
  return plain === 'reduceonly' && word === 'true'
    ? `${name} says that it only reduces`
    : undefined;
}

/** The first such field of the object, or of one inside it. */
function findAgainst(fields: object, side: Side): string | undefined {
  for (const [name, value] of Object.entries(fields) as [string, unknown][]) {
    const found =
      typeof value === 'object' && value !== null
        ? findAgainst(value, side)
        : against(name, value, side);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Why an alert must not be carried out: its only word for the side is its action, and another field, of a message written for
 * another service, says that this is an exit. Such a `sell` would open a short. Undefined if there is no such field.
 */
export function unreadPosition(fields: Readonly<Record<string, unknown>>): string | undefined {
  const { action, leverage, market_position: told } = fields;
  const side = SIDES.get(wordOf(action));
  if (side === undefined || told !== undefined || Number(leverage ?? 1) === 0) return undefined;
  const found = findAgainst(fields, side);
  return (
    found &&
    `${found} and is not read, so that action ${wordOf(action)} would go ${side}: write the position after the alert as market_position, beside action, or write action close`
  );
}
