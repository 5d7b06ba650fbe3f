// Prints src/tables/calibration.ts, the figures the demo market simulates from, estimated from recorded prices:
//   node packages/adapter-market/scripts/estimate.mjs > packages/adapter-market/src/tables/calibration.ts
// The recordings lie beside the repository, in ../shared/data (its README.md tells their sources and licences).
import { readFileSync } from 'node:fs';
import { URL } from 'node:url';
import { gunzipSync } from 'node:zlib';

const folder = new URL('../../../../shared/data/', import.meta.url);
/** Days on which a price moved by more than e^0.5 are defects or splits, not volatility. */
const IMPOSSIBLE_RETURN = 0.5;
const FEWEST_DAYS = 250;
const CRYPTO_STEP_MINUTES = 15;

function rowsOf(name) {
  const bytes = readFileSync(new URL(name, folder));
  const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const [header, ...lines] = text.trim().split(/\r?\n/);
  const names = header.split(',');
  return lines.map((line) => {
    // Names in quotes may hold commas.
    const cells = line.match(/("[^"]*"|[^,]*)(,|$)/g).map((cell) => cell.replace(/,$/, ''));
    return Object.fromEntries(names.map((column, index) => [column, cells[index]]));
  });
}

function groupBy(rows, keyOf) {
  const groups = new Map();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

const mean = (values) => values.reduce((total, value) => total + value, 0) / values.length;
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const deviation = (values) => {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
};
/** How far `values` follow `factor`: covariance over the factor's variance. */
const slope = (values, factor) => {
  const [middle, factorMiddle] = [mean(values), mean(factor)];
  const both = values.map((value, index) => (value - middle) * (factor[index] - factorMiddle));
  return mean(both) / deviation(factor) ** 2;
};
const figure = (value, digits = 3) => String(Number(value.toPrecision(digits)));

const closes = new Map(); // symbol -> date -> close, adjusted for splits
const lastPrices = new Map(); // symbol -> { date, price }
const closesOf = (symbol) => closes.get(symbol) ?? closes.set(symbol, new Map()).get(symbol);
const seen = (symbol, date, price) => {
  if (!(lastPrices.get(symbol)?.date > date)) lastPrices.set(symbol, { date, price });
};

const defects = new Set(
  rowsOf('prices/known_defects.csv').map(({ symbol, date }) => `${symbol} ${date}`),
);
for (const { symbol, date, close } of rowsOf('prices/sp500_5yr.csv.gz')) {
  if (!(Number(close) > 0) || defects.has(`${symbol} ${date}`)) continue;
  closesOf(symbol).set(date, Number(close));
  seen(symbol, date, Number(close));
}

const inFirstFile = new Set(closes.keys());
const factors = groupBy(rowsOf('prices/lean_factor_files.csv'), ({ symbol }) => symbol);
for (const { symbol, date, close } of rowsOf('prices/lean_equity_daily_raw.csv.gz')) {
  seen(symbol, date, Number(close));
  if (inFirstFile.has(symbol) || defects.has(`${symbol} ${date}`)) continue;
  const factor = factors.get(symbol)?.find((row) => row.date >= date);
  const { price_factor = '1', split_factor = '1' } = factor ?? {};
  closesOf(symbol).set(date, Number(close) * Number(price_factor) * Number(split_factor));
}

const quotes = groupBy(rowsOf('prices/lean_minute_quote.csv.gz'), ({ symbol }) => symbol);
const mids = new Map(); // symbol -> "date time" -> mid
const spreads = new Map(); // symbol -> relative spreads of the regular session
for (const [symbol, rows] of quotes) {
  mids.set(symbol, new Map());
  spreads.set(symbol, []);
  for (const row of rows) {
    const [bid, ask] = [Number(row.bid_close), Number(row.ask_close)];
    if (row.security === 'stock' && (row.time_local < '09:35' || row.time_local >= '13:00'))
      continue;
    if (!(bid > 0 && ask >= bid)) continue;
    const mid = (bid + ask) / 2;
    mids.get(symbol).set(`${row.date} ${row.time_local}`, mid);
    spreads.get(symbol).push((ask - bid) / mid);
    seen(symbol, row.date, mid);
  }
}

/** The log returns of both over the same days of the window. */
function together(series, factor, from, to) {
  const days = [...series.keys()]
    .filter((day) => factor.has(day) && day >= from && day <= to)
    .sort();
  const pairs = days
    .slice(1)
    .map((day, index) => [series, factor].map((of) => Math.log(of.get(day) / of.get(days[index]))))
    .filter((pair) => pair.every((move) => Math.abs(move) < IMPOSSIBLE_RETURN));
  return [pairs.map(([move]) => move), pairs.map(([, move]) => move)];
}

const WINDOW = ['2013-02-08', '2018-02-07'];
const market = closes.get('SPY');
const marketVolatility = deviation(together(market, market, ...WINDOW)[0]);
const stocks = rowsOf('instruments.csv').filter(({ security }) => security === 'stock');
const estimates = stocks.flatMap(({ symbol, sector }) => {
  if (!closes.has(symbol)) return [];
  const [moves, marketMoves] = together(closes.get(symbol), market, ...WINDOW);
  if (moves.length < FEWEST_DAYS) return [];
  const { price } = lastPrices.get(symbol);
  return [{ symbol, sector, price, volatility: deviation(moves), beta: slope(moves, marketMoves) }];
});

const bitcoin = new Map(
  rowsOf('prices/lean_btcusd_coinbase_daily.csv.gz').map((row) => [
    row.date,
    Number(row.trade_close),
  ]),
);
const [bitcoinDate, bitcoinPrice] = [...bitcoin].at(-1);
const bitcoinMoves = together(bitcoin, bitcoin, WINDOW[0], '2018-08-13')[0];
const bitcoinVolatility = deviation(bitcoinMoves);
const bitcoinToMarket = together(bitcoin, market, ...WINDOW);
lastPrices.set('BTCUSD', { date: bitcoinDate, price: bitcoinPrice });

/** Daily volatility and beta of a coin of which some days of minutes are recorded, by way of bitcoin's on those minutes. */
function coinEstimate(symbol) {
  const everyStep = (series) =>
    new Map(
      [...series].filter(([moment]) => Number(moment.slice(14, 16)) % CRYPTO_STEP_MINUTES === 0),
    );
  const [own, factor] = [everyStep(mids.get(symbol)), everyStep(mids.get('BTCUSD'))];
  const pairs = [];
  const moments = [...own.keys()].filter((moment) => factor.has(moment)).sort();
  for (const [index, moment] of moments.slice(1).entries())
    if (moments[index].slice(0, 10) === moment.slice(0, 10))
      pairs.push([own, factor].map((of) => Math.log(of.get(moment) / of.get(moments[index]))));
  const [moves, factorMoves] = [pairs.map(([move]) => move), pairs.map(([, move]) => move)];
  const volatility = (bitcoinVolatility * deviation(moves)) / deviation(factorMoves);
  return {
    symbol,
    price: lastPrices.get(symbol).price,
    volatility,
    beta: slope(moves, factorMoves),
  };
}
const coins = [
  { symbol: 'BTCUSD', price: bitcoinPrice, volatility: bitcoinVolatility, beta: 1 },
  coinEstimate('ETHUSD'),
  coinEstimate('LTCUSD'),
];

const line = ({ symbol, price, volatility, beta }) => {
  const spread = spreads.has(symbol) ? figure(median(spreads.get(symbol)), 2) : '';
  return [symbol, figure(price, 5), figure(volatility), figure(beta), spread].join('|');
};
const middle = (of) => ({
  price: median(of.map(({ price }) => price)),
  volatility: median(of.map(({ volatility }) => volatility)),
  beta: median(of.map(({ beta }) => beta)),
});
const middles = [
  ...[...new Set(estimates.map(({ sector }) => sector))]
    .sort()
    .map((sector) =>
      line({ symbol: sector, ...middle(estimates.filter((row) => row.sector === sector)) }),
    ),
  line({ symbol: 'stock', ...middle(estimates) }),
  line({ symbol: 'cryptocurrency', ...middle(coins.slice(1)) }),
];
const spreadsOf = (rows) =>
  rows.flatMap(({ symbol }) => (spreads.has(symbol) ? [median(spreads.get(symbol))] : []));

console.log(`// Made by scripts/estimate.mjs; figures estimated from recorded prices, not the prices themselves.
// Stocks: daily log returns ${WINDOW.join(' to ')} of CNuge/kaggle-code (MIT) and QuantConnect/Lean (Apache-2.0), the market
// being SPY; the price is the last one recorded. Coins: BTCUSD days ${[...bitcoin.keys()][0]} to ${bitcoinDate} and minutes of ETHUSD and LTCUSD
// against BTCUSD, of QuantConnect/Lean. Spreads: median of (ask - bid) / mid of Lean's minute quotes in the regular session.
// BTCUSD follows SPY with correlation ${figure(
  slope(...bitcoinToMarket) * (deviation(bitcoinToMarket[1]) / deviation(bitcoinToMarket[0])),
  2,
)} only: the coins have a factor of their own.

/** Standard deviation of a day's log return of the common factor: SPY for stocks, BTCUSD for coins. */
export const FACTOR_VOLATILITY = {
  stock: ${figure(marketVolatility)},
  cryptocurrency: ${figure(bitcoinVolatility)},
} as const;

/** Relative spread where none was recorded: the median of those recorded. */
export const COMMON_SPREAD = {
  stock: ${figure(median(spreadsOf(estimates)), 2)},
  cryptocurrency: ${figure(median(spreadsOf(coins)), 2)},
} as const;

/** sector|median price|median daily volatility|median beta| - where an instrument was not recorded; "stock": of all sectors */
export const SECTOR_ROWS = \`
${middles.join('\n')}
\`;

/** symbol|last price|daily volatility|beta|relative spread */
export const SYMBOL_ROWS = \`
${[...estimates, ...coins].map(line).join('\n')}
\`;`);
