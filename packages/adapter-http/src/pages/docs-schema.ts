/** A part of a JSON Schema, as in the documents. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);

export const json = (value: unknown): string => escaped(JSON.stringify(value, null, 2));

/** A field's type in a few words, a record as a link to its description. */
function typeOf(schema: Schema): string {
  const { $ref, anyOf, oneOf, items, additionalProperties } = schema;
  if ($ref !== undefined) {
    const name = escaped($ref.split('/').at(-1) ?? '');
    return `<a href="#${name}">${name}</a>`;
  }
  if (schema.enum) return schema.enum.map((word) => `<code>${json(word)}</code>`).join(' ');
  if (schema.const !== undefined) return `<code>${json(schema.const)}</code>`;
  const choices = anyOf ?? oneOf;
  if (choices) return [...new Set(choices.map(typeOf))].join(' or ');
  if (items) return `array of ${typeOf(items)}`;
  if (typeof additionalProperties === 'object') return `object of ${typeOf(additionalProperties)}`;
  return escaped([schema.type ?? 'any'].flat().join(' or '));
}

const range = (least: number | undefined, most: number | undefined, unit: string): string => {
  const [from, to] = [least ?? 0, most ?? Number.MAX_SAFE_INTEGER];
  if (to >= Number.MAX_SAFE_INTEGER) return from > 0 ? `at least ${from}${unit}` : '';
  return least !== undefined ? `${from} to ${to}${unit}` : `at most ${to}${unit}`;
};

/** The rules of a value, in words. */
function rulesOf(schema: Schema): string {
  const { type, minLength, maxLength, minItems, maxItems, minimum, maximum } = schema;
  const sized = [
    type === 'array' && range(minItems, maxItems, ' items'),
    type === 'string' && range(minLength, maxLength, ' characters'),
    type === 'integer' && range(minimum, maximum, ''),
  ];
  const rules = sized.filter((rule): rule is string => typeof rule === 'string' && rule !== '');
  return [...rules.map((rule) => `${rule}.`), escaped(schema.description ?? '')].join(' ').trim();
}

/** One row per field, those of objects within as `outer.inner`, of arrays of objects as `outer[].inner`. */
function rows(schema: Schema, before: string, isArray: (name: string) => boolean): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const full = `${before}${name}${isArray(name) ? '[]' : ''}`;
    const needed = schema.required?.includes(name) ?? false;
    const own = `<tr><td><code>${escaped(full)}</code>${needed ? ' <b title="required">*</b>' : ''}</td><td>${typeOf(property)}</td><td>${rulesOf(property)}</td></tr>`;
    const inner = property.items ?? property;
    const within = property.items ? `${full}[].` : `${full}.`;
    return inner.properties ? [own, ...rows(inner, within, () => false)] : [own];
  });
}

/** The fields of an object with their types and rules; an asterisk marks the required ones. */
export function fieldTable(
  schema: Schema,
  isArray: (name: string) => boolean = () => false,
): string {
  const lines = rows(schema, '', isArray);
  if (lines.length === 0) {
    return schema.properties ? '<p>No fields.</p>' : `<p>${typeOf(schema)} ${rulesOf(schema)}</p>`;
  }
  return `<table><tr><th>Field</th><th>Type</th><th>Rules</th></tr>${lines.join('')}</table>`;
}

/** The type of a whole response. */
export const responseType = (schema: Schema): string => typeOf(schema);
