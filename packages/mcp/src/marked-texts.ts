import type { Operation } from '@slipstream/wire';
import { type JsonSchema, alternativesOf, jsonSchemaOf } from './json-schema.js';

/** The field under which a text that others wrote stands in an answer. */
export const UNTRUSTED = 'untrusted_text';

/** Texts that the service and its market data write. Every text under another name is marked, so a new field is marked too. */
const WRITTEN_BY_THE_SERVICE: readonly string[] = [
  ...['symbol', 'stock', 'exchange', 'peg', 'provider', 'sector', 'figi_composite'],
  ...['broker', 'intent', 'operation', 'scope', 'version', 'disclosure', 'chain', 'date', 'holder'],
];
/** The names of ids. */
const OF_ID = /(^|_)ids?$/;
/** The form of an id: no spaces, so no sentence. */
const ID = /^[\w:.-]{1,64}$/;

interface Place {
  readonly schemas: readonly JsonSchema[];
  readonly root: JsonSchema;
  /** The name of the field, also of the items of a list; undefined for the answer as a whole. */
  readonly field: string | undefined;
}

const isOfSchema = (text: string, { enum: words, const: word, pattern }: JsonSchema): boolean =>
  words?.includes(text) === true ||
  word === text ||
  (pattern !== undefined && new RegExp(pattern).test(text));

function isTrusted(text: string, { schemas, field }: Place): boolean {
  // The answer of an operation without a record is a sentence of the service.
  if (field === undefined || WRITTEN_BY_THE_SERVICE.includes(field)) return true;
  return (OF_ID.test(field) && ID.test(text)) || schemas.some((one) => isOfSchema(text, one));
}

const within = (place: Place, field: string | undefined, inner: readonly JsonSchema[]): Place => ({
  schemas: inner.flatMap((one) => alternativesOf(one, place.root)),
  root: place.root,
  field,
});

function marked(value: unknown, place: Place): unknown {
  if (typeof value === 'string') return isTrusted(value, place) ? value : { [UNTRUSTED]: value };
  if (Array.isArray(value)) {
    const items = within(
      place,
      place.field ?? '',
      place.schemas.flatMap(({ items }) => items ?? []),
    );
    return value.map((item) => marked(item, items));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const schemas = place.schemas.flatMap(({ properties, additionalProperties: others }) => {
        const own = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
        return own ?? (typeof others === 'object' ? others : []);
      });
      return [name, marked(inner, within(place, name, schemas))];
    }),
  );
}

/**
 * The answer of an operation, in which every text that a person or another system may have written stands as
 * `{"untrusted_text": …}`. What the row's schema knows (decimals, times, words of a list) stays as it is.
 */
export function markedAnswer(operation: Pick<Operation, 'response'>, answer: unknown): unknown {
  const root = jsonSchemaOf(operation.response);
  return marked(answer, { schemas: alternativesOf(root, root), root, field: undefined });
}
