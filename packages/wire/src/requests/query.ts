import { z } from 'zod';
import { Refusal } from '@slipstream/domain';
import type { Operation } from '../operations/operation.js';

/** The most items of an array in a query (contract 1). */
const MAX_ITEMS = 100;

const parametersOf = (
  operation: Pick<Operation, 'request'>,
): Readonly<Record<string, z.core.$ZodType>> =>
  operation.request instanceof z.ZodObject ? operation.request.shape : {};

/** Whether the parameter is sent as `name[]`, any number of times. */
export function takesArray(operation: Pick<Operation, 'request'>, name: string): boolean {
  const parameter = parametersOf(operation)[name];
  return parameter !== undefined && isArray(parameter);
}

function isArray(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodArray) return true;
  if (schema instanceof z.ZodOptional) return isArray(schema.unwrap());
  return schema instanceof z.ZodPipe && isArray(schema.in);
}

/** The query (the part after `?`) as the operation's request schema expects it. Refuses unknown and repeated names. */
export function parseQuery(
  operation: Pick<Operation, 'request'>,
  query: string,
): Record<string, string | string[]> {
  const read: Record<string, string | string[]> = {};
  // The items of an array share one name.
  let [written, name] = ['', ''];
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const ofPair = equals < 0 ? pair : pair.slice(0, equals);
    if (ofPair !== written) [written, name] = [ofPair, decoded(ofPair)];
    const value = equals < 0 ? '' : decoded(pair.slice(equals + 1));
    add(read, operation, name, value);
  }
  return read;
}

function add(
  read: Record<string, string | string[]>,
  operation: Pick<Operation, 'request'>,
  name: string,
  value: string,
): void {
  const key = name.endsWith('[]') ? name.slice(0, -2) : name;
  const before = read[key];
  if (key !== name && Array.isArray(before)) {
    if (before.length === MAX_ITEMS) {
      throw new Refusal('invalid_field', `${name} must have at most ${MAX_ITEMS} items`);
    }
    before.push(value);
    return;
  }
  if (!Object.hasOwn(parametersOf(operation), key)) {
    throw new Refusal('invalid_field', `unknown parameter ${JSON.stringify(name.slice(0, 50))}`);
  }
  if (takesArray(operation, key) !== (key !== name)) {
    const right = key === name ? `${key}[]` : key;
    throw new Refusal('invalid_field', `the parameter is named ${right}, not ${name}`);
  }
  if (before !== undefined) throw new Refusal('invalid_field', `${name} was sent twice`);
  read[key] = key === name ? value : [value];
}

function decoded(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new Refusal('invalid_field', 'the query must be percent-encoded UTF-8');
  }
}
