import { readFile } from 'node:fs/promises';
import { Refusal, SECURITIES, type Stock, decimal, id } from '@slipstream/domain';
import { parse } from 'csv-parse/sync';

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
type Row = Readonly<Record<(typeof COLUMNS)[number], string>>;

function stockOf(row: Row, line: number): Stock {
  const security = SECURITIES.find((known) => known === row.security);
  if (!security || !row.symbol || !row.exchange || !row.name) {
    throw new Refusal(
      'invalid_field',
      `line ${line}: symbol, name, exchange and security (${SECURITIES.join(' or ')}) are required`,
    );
  }
  const isCrypto = security === 'cryptocurrency';
  return {
    id: id(`${row.symbol}.${row.exchange}`.toLowerCase()),
    figiComposite: row.figi_composite || null,
    symbol: row.symbol,
    stock: row.stock || row.symbol,
    name: row.name,
    sector: row.sector,
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
  const rows = parse<Row>(await readFile(file, 'utf8'), {
    bom: true,
    trim: true,
    skip_empty_lines: true,
    columns: (names: string[]) => {
      const missing = COLUMNS.find((column) => !names.includes(column));
      if (missing !== undefined)
        throw new Refusal('invalid_field', `${file} has no column ${missing}`);
      return names;
    },
  });
  return rows.map((row, index) => stockOf(row, index + 2));
}
