type Schema = {
  readonly type?: string;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
};
type Value = unknown;

/** A limit of a field: what is just within it and what is just beyond. */
export interface Bound {
  /** Property names and array indexes that lead to the field. */
  readonly path: readonly (string | number)[];
  readonly rule: string;
  readonly within: Value;
  readonly beyond: Value;
}

const DECIMAL_RANGE = /(?:from|between) (-?\d+(?:\.\d+)?) (?:to|and) (-?\d+(?:\.\d+)?)/i;
const BEYOND = '000001';
const SMALLEST = '0.000000000000000001';
/** Figures within 1e-12 of a limit are taken at the limit (contract 7b.5). */
const TOLERATED = '0.000000000002';

/** Every limit that a request's JSON Schema tells, of fields that `example` has a place for. */
export function boundsOf(schema: Schema, example: unknown, path: Bound['path'] = []): Bound[] {
  const bounds: Bound[] = [];
  const add = (rule: string, within: Value, beyond: Value): void =>
    void bounds.push({ path, rule, within, beyond });
  const { maxItems, minLength = 1, maxLength, minimum, maximum, items, properties = {} } = schema;
  if (maxItems !== undefined) {
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) => item(items, example, i));
    add(`${maxItems} items`, many(maxItems), many(maxItems + 1));
  } else if (schema.type === 'string' && maxLength !== undefined) {
    add(`${maxLength} characters`, 'x'.repeat(maxLength), 'x'.repeat(maxLength + 1));
    if (minLength > 1)
      add(`${minLength} characters`, 'x'.repeat(minLength), 'x'.repeat(minLength - 1));
  } else if (schema.type === 'integer' && minimum !== undefined && maximum !== undefined) {
    if (minimum > Number.MIN_SAFE_INTEGER) add(`from ${minimum}`, minimum, minimum - 1);
    if (maximum < Number.MAX_SAFE_INTEGER) add(`to ${maximum}`, maximum, maximum + 1);
  } else {
    const [, from, to] = DECIMAL_RANGE.exec(schema.description ?? '') ?? [];
    if (from !== undefined) add(`from ${from}`, from, below(from));
    if (to !== undefined) add(`to ${to}`, to, past(to));
    if (/greater than 0/.test(schema.description ?? '')) add('greater than 0', stepOf(schema), '0');
  }
  for (const [name, property] of Object.entries(properties)) {
    const inner = (example as Readonly<Record<string, unknown>> | undefined)?.[name];
    bounds.push(...boundsOf(property, inner, [...path, name]));
  }
  const [first] = Array.isArray(example) ? (example as unknown[]) : [];
  if (items?.type === 'string' && items.maxLength !== undefined) {
    const { maxLength: length } = items;
    add(`items of ${length} characters`, ['x'.repeat(length)], ['x'.repeat(length + 1)]);
  }
  if (items?.properties && first !== undefined)
    bounds.push(...boundsOf(items, first, [...path, 0]));
  return bounds;
}

const stepOf = ({ description = '' }: Schema): string =>
  /multiple of (\d+(?:\.\d+)?)/.exec(description)?.[1] ?? SMALLEST;
const below = (edge: string): string => {
  if (edge.startsWith('-')) return past(edge);
  return edge === '0' ? `-${TOLERATED}` : '0';
};
const past = (edge: string): string => `${edge}${edge.includes('.') ? '' : '.'}${BEYOND}`;

function item(schema: Schema | undefined, example: unknown, index: number): unknown {
  const [first] = Array.isArray(example) ? (example as unknown[]) : [];
  return schema?.enum?.[0] ?? (typeof first === 'object' ? first : `x${index}`);
}

/** The request with `value` at the end of the path. */
export function placed(request: unknown, [step, ...rest]: Bound['path'], value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof step === 'number') {
    return (request as unknown[]).map((inner, i) =>
      i === step ? placed(inner, rest, value) : inner,
    );
  }
  const fields = (request ?? {}) as Readonly<Record<string, unknown>>;
  return { ...fields, [step]: placed(fields[step], rest, value) };
}
