import { type Stock, type StockId, id } from '@slipstream/domain';
import { BrokerUnreachable, type Instruments, instrumentsBy } from '@slipstream/ports';
import type { Venue } from './venue.js';

/** The coin's name at all exchanges; undefined for what is no coin against dollars. */
export const codeOf = ({ security, stock, peg }: Stock): string | undefined =>
  security === 'cryptocurrency' && peg === 'USD' ? stock : undefined;

const byCode = instrumentsBy(codeOf);

/** The id of an instrument that this service does not list. */
const unlistedId = ({ name }: Venue, code: string): StockId => id<'stock'>(`${name}:${code}`);

/** Our stocks that may be this coin: that of this exchange alone where we list it. */
export function candidatesFor(
  { exchange: here }: Venue,
  instruments: Instruments,
  code: string,
): readonly Stock[] {
  const found = byCode(instruments, code);
  const own = found.filter(({ exchange }) => exchange === here);
  return found.length > 1 && own.length === 1 ? own : found;
}

/**
 * Our stock that is this coin: a coin is the same wherever it is quoted. Where we list it from several exchanges, it is that of
 * this one.
 * @throws {BrokerUnreachable} when several may be meant.
 */
export function stockNamed(
  venue: Venue,
  instruments: Instruments,
  code: string,
): Stock | undefined {
  const found = candidatesFor(venue, instruments, code);
  if (found.length < 2) return found[0];
  throw new BrokerUnreachable(`${venue.title}'s ${code} may be that of several exchanges`);
}

export const stockIdOf = (venue: Venue, instruments: Instruments, code: string): StockId =>
  stockNamed(venue, instruments, code)?.id ?? unlistedId(venue, code);
