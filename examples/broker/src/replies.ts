import { decimal } from '@slipstream/domain';
import { BrokerUnreachable } from '@slipstream/ports';
import type { Prices, Report, Statement } from './brokerage.js';

type Fields = Readonly<Record<string, unknown>>;

/** A 200 that cannot be read is no answer: whatever was asked may have happened. */
function unreadable(what: string): never {
  throw new BrokerUnreachable(`the desk answered with something that is no ${what}`);
}

const isFields = (body: unknown): body is Fields =>
  typeof body === 'object' && body !== null && !Array.isArray(body);

function isDecimal(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  try {
    decimal(text);
    return true;
  } catch {
    return false;
  }
}

const isOneOf = (words: readonly string[], word: unknown): boolean =>
  typeof word === 'string' && words.includes(word);

const STATES = ['working', 'done', 'cancelled', 'rejected'];

export function reportOf(body: unknown): Report {
  if (!isFields(body)) return unreadable('report');
  const isReport =
    typeof body['id'] === 'string' &&
    typeof body['note'] === 'string' &&
    isOneOf(['buy', 'sell'], body['side']) &&
    isOneOf(STATES, body['state']) &&
    isDecimal(body['quantity']) &&
    isDecimal(body['filled']) &&
    (body['price'] === null || isDecimal(body['price']));
  return isReport ? (body as unknown as Report) : unreadable('report');
}

export const reportsOf = (body: unknown): readonly Report[] =>
  Array.isArray(body) ? body.map(reportOf) : unreadable('list of reports');

export function statementOf(body: unknown): Statement {
  if (!isFields(body) || !isDecimal(body['cash'])) return unreadable('statement');
  const { holdings } = body;
  const isHolding = (one: unknown): boolean =>
    isFields(one) &&
    typeof one['instrument'] === 'string' &&
    isDecimal(one['quantity']) &&
    isDecimal(one['price']);
  if (!Array.isArray(holdings) || !holdings.every(isHolding)) return unreadable('statement');
  return body as unknown as Statement;
}

const WORDS = ['open', 'closed', 'halted', 'unlisted'];

/** One that is missing is not unlisted: a stock that is held would seem to be none that is traded. */
export function pricesOf(body: unknown, instruments: readonly string[]): Prices {
  const isPrices = isFields(body) && instruments.every((one) => isOneOf(WORDS, body[one]));
  return isPrices ? (body as Prices) : unreadable('list of prices');
}
