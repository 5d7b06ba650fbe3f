import { decimalText } from '@slipstream/domain';
import { type Day, backtest } from './backtest.js';

const DAYS: readonly Day[] = [
  { date: '2026-01-05', closes: { ACME: '100', BOLT: '40' } },
  { date: '2026-01-06', closes: { ACME: '104', BOLT: '39.2' } },
  { date: '2026-01-07', closes: { ACME: '110', BOLT: '38' } },
  { date: '2026-01-08', closes: { ACME: '108.9', BOLT: '41.8' } },
];

for (const { date, value, trades } of backtest(DAYS, { ACME: '0.3', BOLT: '0.2' }, 2))
  console.log(`${date}  value ${decimalText(value.round(6))}  ${trades} trades`);
