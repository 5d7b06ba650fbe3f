import { Refusal, SECURITIES, type Stock, decimal, id } from '@slipstream/domain';
import { operations, readRequest } from '@slipstream/wire';
import { otherSeparator } from '../replay/data/cells.js';
import { csvRows } from '../reports/csv-rows.js';
import { textOf } from '../settings/text-of.js';

const COLUMNS = [
  'symbol',
  'stock',
  'name',
  'sector',
  'security',
  'exchange',
  'peg',
  'figi_composite',
] as const;
type Column = (typeof COLUMNS)[number];
type Row = Readonly<Partial<Record<Column, string>>>;

/** An id has so many characters (contract 1); a longer one could not be named. */
const LONGEST_ID = 50;

/** Refuses what `updateStocks` refuses too. */
function requireFields(row: Row, line: number): void {
  const given = Object.fromEntries(
    COLUMNS.flatMap((column) => (row[column] ? [[column, row[column]]] : [])),
  );
  try {
    readRequest(operations.updateStocks.request, { stocks: [given] });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal('invalid_field', `line ${line}: ${error.message.replace('stocks[0].', '')}`);
  }
  if (`${row.symbol}.${row.exchange}`.length > LONGEST_ID)
    throw new Refusal(
      'invalid_field',
      `line ${line}: symbol and exchange may have ${LONGEST_ID - 1} characters together`,
    );
}

function stockOf(row: Row, line: number): Stock {
  const security = SECURITIES.find((known) => known === row.security);
  if (!security || !row.symbol || !row.exchange || !row.name) {
    throw new Refusal(
      'invalid_field',
      `line ${line}: symbol, name, exchange and security (${SECURITIES.join(' or ')}) are required`,
    );
  }
  requireFields(row, line);
  const isCrypto = security === 'cryptocurrency';
  return {
    id: id(`${row.symbol}.${row.exchange}`.toLowerCase()),
    figiComposite: row.figi_composite || null,
    symbol: row.symbol,
    stock: row.stock || row.symbol,
    name: row.name,
    sector: row.sector ?? '',
    security,
    exchange: row.exchange,
    peg: row.peg || 'USD',
    provider: 'import',
    slippage: decimal(isCrypto ? '0.001' : '0.0005'),
    fee: decimal(isCrypto ? '0.0025' : '0'),
    links: {},
    status: 'active',
  };
}

/** The instruments of a CSV file; its first line names the columns. */
export async function readStocksFile(file: string): Promise<Stock[]> {
  const rows = csvRows<Column>(file, await textOf(file), (names) => {
    const missing = COLUMNS.find((column) => !names.includes(column));
    if (missing !== undefined)
      throw new Refusal(
        'invalid_field',
        `${file} has no column ${missing}${otherSeparator(names)}`,
      );
    return names;
  });
  return rows.map(({ line, cells }) => stockOf(cells, line));
}
