import { describe, expect, it } from '@jest/globals';
import type { Stock } from '@slipstream/domain';
import { SYMBOL_ROWS } from '../tables/calibration.js';
import { instruments } from '../instruments.js';
import { floatOf } from './price-grid.js';
import { priceProcess, seededFactors } from './price-process.js';

const recorded = new Map(
  SYMBOL_ROWS.trim()
    .split('\n')
    .map((row) => row.split('|'))
    .map(([symbol = '', , volatility, beta]) => [
      symbol,
      { volatility: Number(volatility), beta: Number(beta) },
    ]),
);
const bySymbol = new Map(instruments().map((stock) => [stock.symbol, stock]));
const named = (symbol: string): Stock => {
  const stock = bySymbol.get(symbol);
  if (!stock) throw new Error(`no ${symbol}`);
  return stock;
};

/** Log returns of whole days, simulated in several steps per day. */
function dailyReturns(symbols: readonly string[], days: number, stepsADay: number): number[][] {
  const factors = seededFactors('returns');
  const processes = symbols.map((symbol) =>
    priceProcess('returns', named(symbol), factors, undefined),
  );
  const logMids = (): number[] =>
    processes.map((process) => {
      const { bid, ask } = process.quote(0);
      return Math.log((floatOf(bid) + floatOf(ask)) / 2);
    });
  const closes = [logMids()];
  for (let day = 0; day < days; day += 1) {
    for (let step = 1; step < stepsADay; step += 1) {
      factors.advance(1 / stepsADay);
      logMids();
    }
    factors.advance(1 / stepsADay);
    closes.push(logMids());
  }
  return symbols.map((_, column) =>
    closes.slice(1).map((row, day) => (row[column] ?? 0) - (closes[day]?.[column] ?? 0)),
  );
}

const mean = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0) / values.length;
const deviation = (values: readonly number[]): number =>
  Math.sqrt(mean(values.map((value) => value ** 2)) - mean(values) ** 2);
const correlation = (one: readonly number[], other: readonly number[]): number =>
  (mean(one.map((value, day) => value * (other[day] ?? 0))) - mean(one) * mean(other)) /
  (deviation(one) * deviation(other));

describe('simulated prices', () => {
  const symbols = ['SPY', 'AAPL', 'BAC', 'KO', 'AMD', 'BTCUSD', 'ETHUSD', 'LTCUSD'];
  const returns = new Map(
    dailyReturns(symbols, 2_000, 4).map((column, index) => [symbols[index] ?? '', column]),
  );
  const of = (symbol: string): number[] => returns.get(symbol) ?? [];

  it.each(symbols)('%s is as volatile in a day as its recording, within 8%%', (symbol) => {
    const ratio = deviation(of(symbol)) / (recorded.get(symbol)?.volatility ?? Number.NaN);
    expect(ratio).toBeGreaterThan(0.92);
    expect(ratio).toBeLessThan(1.08);
  });

  it.each(['AAPL', 'BAC', 'KO', 'AMD'])('%s follows SPY as closely as its recording', (symbol) => {
    const { volatility = 1, beta = 0 } = recorded.get(symbol) ?? {};
    const expected = (beta * (recorded.get('SPY')?.volatility ?? 0)) / volatility;
    expect(Math.abs(correlation(of(symbol), of('SPY')) - expected)).toBeLessThan(0.06);
  });

  it('has coins follow bitcoin, and not the stocks', () => {
    expect(correlation(of('ETHUSD'), of('BTCUSD'))).toBeGreaterThan(0.7);
    expect(Math.abs(correlation(of('BTCUSD'), of('SPY')))).toBeLessThan(0.06);
  });

  it('keeps a pegged coin at its peg', () => {
    const moves = dailyReturns(['USDTUSD'], 365, 24)[0] ?? [];
    expect(Math.abs(moves.reduce((total, move) => total + move, 0))).toBeLessThan(0.001);
  });
});
