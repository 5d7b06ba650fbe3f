import { type Session, type Stock, decimal, id } from '@slipstream/domain';
import type { TradingHours } from '@slipstream/ports';

const stock = (name: string, fields: Partial<Stock>): Stock => ({
  id: id(name),
  figiComposite: null,
  symbol: name,
  stock: name,
  name,
  sector: '',
  security: 'stock',
  exchange: 'NASDAQ',
  peg: 'USD',
  provider: 'reference',
  slippage: decimal('0.0005'),
  fee: decimal('0'),
  links: {},
  status: 'active',
  ...fields,
});
const coin = { security: 'cryptocurrency', exchange: 'COINBASE' } as const;

/** The instruments of every story with their first prices: three of each kind, so that books hold several. */
export const INSTRUMENTS: readonly (readonly [Stock, string])[] = [
  [stock('AAA', {}), '187.35'],
  [stock('BBB', { slippage: decimal('0') }), '402.1'],
  [stock('CCC', { fee: decimal('0.001'), slippage: decimal('0.0012345') }), '33.3333'],
  [stock('DDD', { ...coin, fee: decimal('0.0025'), slippage: decimal('0.001') }), '61234.567'],
  [stock('EEE', { ...coin, fee: decimal('0.0333'), slippage: decimal('0.01') }), '0.0731'],
  [stock('FFF', { ...coin, fee: decimal('0'), slippage: decimal('0') }), '7.000001'],
];

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const OPENS = 14.5 * HOUR;
const CLOSES = 21 * HOUR;

const sessionOn = (day: number): Session => ({
  opensAt: day * DAY + OPENS,
  closesAt: day * DAY + CLOSES,
});

/** Stocks have a session every day, from 14:30 to 21:00 UTC; that of cryptocurrencies never ends. */
export const sessionOf = (security: Stock['security'], at: number): Session | undefined => {
  if (security === 'cryptocurrency') return { opensAt: 0, closesAt: Number.MAX_SAFE_INTEGER };
  const session = sessionOn(Math.floor(at / DAY));
  return at >= session.opensAt && at < session.closesAt ? session : undefined;
};

/** The next moment at which the session of stocks opens or closes. */
export function nextEdge(edge: 'opening' | 'closing', after: number): number {
  const today = sessionOn(Math.floor(after / DAY));
  const of = ({ opensAt, closesAt }: Session): number => (edge === 'opening' ? opensAt : closesAt);
  return of(today) > after ? of(today) : of(sessionOn(Math.floor(after / DAY) + 1));
}

export const tradingHours: TradingHours = {
  sessionAt: ({ security }, at) => sessionOf(security, at),
  nextSession: ({ security }, after) =>
    security === 'cryptocurrency' ? undefined : sessionOf(security, nextEdge('opening', after)),
};
