import { Refusal } from '@slipstream/domain';
import type { Operation } from '@slipstream/wire';
import { z } from 'zod';

/** The schema of a request's field, as in the documents. */
export interface Field {
  readonly name: string;
  readonly types: readonly string[];
  readonly required: boolean;
  readonly description: string;
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const typesOf = ({ type, anyOf = [], oneOf = [] }: Schema): string[] => [
  ...new Set([...[type ?? []].flat(), ...[...anyOf, ...oneOf].flatMap(typesOf)]),
];

const schemaOf = (operation: Operation): Schema =>
  z.toJSONSchema(operation.request, { io: 'input' }) as Schema;

const fieldsOfSchema = ({ properties = {}, required = [] }: Schema): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    types: typesOf(schema),
    required: required.includes(name),
    description: [schema.description, schema.enum && `one of ${schema.enum.join(', ')}`]
      .filter(Boolean)
      .join('; '),
  }));

/** The fields of an operation's request. */
export const fieldsOf = (operation: Operation): Field[] => fieldsOfSchema(schemaOf(operation));

/** The fields of one of its fields that is an object. */
export const fieldsIn = (operation: Operation, name: string): Field[] =>
  fieldsOfSchema(schemaOf(operation).properties?.[name] ?? {});

function json(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('invalid_field', `${name} takes JSON; "${text.slice(0, 50)}" is not JSON`);
  }
}

/** Keeps text if the field takes text (decimals are sent as text) or is part of a query; otherwise reads it as JSON. */
function valueOf(
  { method }: Operation,
  { name, types }: Pick<Field, 'name' | 'types'>,
  text: string,
): unknown {
  const isText = types.includes('string') || types.length === 0;
  if (isText || (method === 'GET' && !types.includes('array'))) return text;
  if (types.includes('array') && !text.startsWith('[')) return [text];
  return json(name, text);
}

/**
 * A request from words: `key=value`, repeated for a list, or `key:=<JSON>` for any value. Unknown fields are sent too, so that
 * the service explains the error.
 */
export function requestOf(operation: Operation, words: readonly string[]): Record<string, unknown> {
  const fields = new Map(fieldsOf(operation).map((field) => [field.name, field]));
  const request = new Map<string, unknown>();
  for (const word of words) {
    const [, name = '', mark, text = ''] = /^([a-z_]+)(?:\[\])?(:?=)(.*)$/s.exec(word) ?? [];
    if (mark === undefined) {
      throw new Refusal(
        'invalid_field',
        `"${word.slice(0, 50)}" is not a field: write key=value, or key:=<JSON>`,
      );
    }
    const field = fields.get(name) ?? { name, types: ['string'] };
    const value = mark === ':=' ? json(name, text) : valueOf(operation, field, text);
    const before = request.get(name);
    if (before !== undefined && !(Array.isArray(before) && Array.isArray(value))) {
      throw new Refusal('invalid_field', `${name} was given twice`);
    }
    request.set(
      name,
      before === undefined ? value : [...(before as unknown[]), ...(value as unknown[])],
    );
  }
  return Object.fromEntries(request);
}
