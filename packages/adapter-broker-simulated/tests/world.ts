import { openMemory } from '@slipstream/adapter-memory';
import { countingIds } from '@slipstream/adapter-memory/testing';
import {
  type Market,
  type Quote,
  type Session,
  type Stock,
  type StockId,
  decimal,
  id,
} from '@slipstream/domain';
import { NOON, aQuote, aStock } from '@slipstream/port-contracts';
import type { UnitOfWork } from '@slipstream/ports';
import {
  type ScriptedFaults,
  type SimulatedOptions,
  scriptedFaults,
  simulatedBroker,
} from '@slipstream/adapter-broker-simulated';

export const acme = aStock({ id: id('acme'), symbol: 'ACME', slippage: decimal('0.001') });
export const coin = aStock({
  id: id('coin'),
  symbol: 'COINUSD',
  security: 'cryptocurrency',
  fee: decimal('0.0025'),
});

/** ACME and COIN again, on other exchanges. */
export const acmeElsewhere = aStock({ ...acme, id: id('acme-2'), exchange: 'NYSE' });
export const coinElsewhere = aStock({ ...coin, id: id('coin-2'), exchange: 'KRAKEN' });
const INSTRUMENTS = [acme, coin, acmeElsewhere, coinElsewhere];

/** A market that a test opens, closes and quotes. */
export function aWorld(options: SimulatedOptions = {}) {
  const stocks = new Map<StockId, Stock>(INSTRUMENTS.map((stock) => [stock.id, stock]));
  const quotes = new Map<StockId, Quote>(
    INSTRUMENTS.map(({ id: stockId }) => [stockId, aQuote({ stockId, ask: decimal('101') })]),
  );
  const session: Session = { opensAt: NOON, closesAt: NOON + 3_600_000 };
  let isOpen = true;
  let now = NOON;
  const halted = new Set<StockId>();
  const stockNow = (stockId: StockId): Stock | undefined => {
    const stock = stocks.get(stockId);
    return stock && halted.has(stockId) ? { ...stock, status: 'halted' } : stock;
  };
  const market = (): Market => ({
    now,
    stock: stockNow,
    quote: (stockId) => quotes.get(stockId),
    freshQuote: (stockId) => quotes.get(stockId),
    session: () => (isOpen ? session : undefined),
  });
  const unitOfWork: UnitOfWork = openMemory();
  const faults: ScriptedFaults = scriptedFaults();
  const broker = simulatedBroker({ unitOfWork, ids: countingIds(), market, options, faults });
  return {
    broker,
    faults,
    instruments: { find: (stockId: StockId) => stocks.get(stockId), all: () => INSTRUMENTS },
    market,
    quotes,
    unitOfWork,
    halted,
    stockNow,
    setOpen: (open: boolean) => {
      isOpen = open;
    },
    now: () => now,
    pass: (seconds: number) => {
      now += seconds * 1_000;
    },
  };
}
