import { z } from 'zod';
import { SECURITIES, ZERO, STOCK_STATUSES } from '@slipstream/domain';
import { line, idOf, stockRef } from '../fields/text.js';
import { oneOf, moment, several, limit } from '../fields/lists.js';
import { stockFraction } from '../fields/figures.js';
import { decimalInput } from '../fields/decimals.js';
import { camelKeys } from '../operations/camel-keys.js';
import { operation, KIB } from '../operations/operation.js';
import { stockResource, acceptedQuotesResource } from './resources.js';
import { list } from '../operations/answers.js';
import { presentStock, presentQuoteReport } from './present.js';
import { aStock } from './examples.js';
import { AT, ids } from '../example-ids.js';

const group = 'Stocks';
const word = line(50, 1).optional();
const stockChange = z
  .strictObject({
    stock_id: idOf<'stock'>().optional(),
    figi_composite: line(50, 1).nullable().optional(),
    symbol: word,
    stock: word,
    name: line(100, 1).optional(),
    sector: line(100).optional(),
    security: oneOf(SECURITIES).optional(),
    exchange: word,
    peg: word,
    provider: word,
    slippage: stockFraction.optional(),
    fee: stockFraction.optional(),
    links: z
      .record(line(50, 1), z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }), {
        error: 'must be a JSON object',
      })
      .optional(),
    settle_price: decimalInput
      .refine((price) => price.gte(ZERO), { error: 'must not be negative' })
      .optional()
      .meta({ description: 'With stock_status delisted: the price at which positions close.' }),
    stock_status: oneOf(STOCK_STATUSES).optional(),
  })
  .refine(({ stock_id, symbol, exchange }) => stock_id || (symbol && exchange), {
    error: 'needs stock_id, or symbol and exchange',
  });
const stockCommand = camelKeys(stockChange);
const quote = z.strictObject({
  stock_id: stockRef,
  bid: decimalInput,
  ask: decimalInput,
  last: decimalInput,
  at: moment.optional(),
});
const quoteCommand = camelKeys(quote, { stock_id: 'stock' });

export const stocks = {
  getStocks: operation({
    name: 'getStocks',
    group,
    method: 'GET',
    auth: 'none',
    summary: 'Stocks with their market prices.',
    request: z.strictObject({ stock_id: several(stockRef) }),
    renames: { stock_id: 'stocks' },
    response: z.array(stockResource),
    present: list(presentStock),
    example: { request: { stock_id: ['AAPL:NASDAQ'] }, response: [aStock] },
  }),
  findStocks: operation({
    name: 'findStocks',
    group,
    method: 'GET',
    auth: 'none',
    summary: 'Stocks whose symbol or name matches.',
    request: z.strictObject({
      query: line(100).optional().meta({ description: 'A part of the symbol or the name.' }),
      security: oneOf(SECURITIES).optional().meta({ description: 'Only those of that kind.' }),
      limit: limit.optional(),
    }),
    response: z.array(stockResource),
    present: list(presentStock),
    example: { request: { query: 'apple' }, response: [aStock] },
  }),
  newQuotes: operation({
    name: 'newQuotes',
    group,
    method: 'POST',
    auth: 'operator',
    bodyLimit: KIB * KIB,
    summary: 'Accepts quotes, if the market is set to push.',
    request: z.strictObject({
      quotes: z
        .array(quote, { error: 'must be an array' })
        .max(1000, { error: 'must have at most 1000 items' })
        .meta({ description: 'Market prices; one that is wrong does not keep out the others.' }),
    }),
    command: ({ quotes }) => ({ quotes: quotes.map(quoteCommand) }),
    response: acceptedQuotesResource,
    present: presentQuoteReport,
    example: {
      request: {
        quotes: [{ stock_id: 'AAPL:NASDAQ', bid: '199.98', ask: '200.02', last: '200', at: AT }],
      },
      response: { accepted: 1, rejected: [] },
    },
  }),
  updateStocks: operation({
    name: 'updateStocks',
    group,
    method: 'POST',
    auth: 'operator',
    bodyLimit: KIB * KIB,
    summary: 'Adds or changes stocks, by stock_id or by symbol and exchange.',
    request: z.strictObject({
      stocks: z
        .array(stockChange, { error: 'must be an array' })
        .max(1000, { error: 'must have at most 1000 items' })
        .meta({ description: 'New ones, and what changes of those that are there.' }),
    }),
    command: ({ stocks: changes }) => ({ stocks: changes.map(stockCommand) }),
    response: z.array(stockResource),
    present: list(presentStock),
    example: {
      request: { stocks: [{ stock_id: ids.stock, stock_status: 'halted' }] },
      response: [{ ...aStock, stock_status: 'halted' }],
    },
  }),
};
