import { z } from 'zod';

export type JsonObject = { [key: string]: unknown };

/** JSON Schemas of many schemas, with the named ones once, under `#/components/schemas`. */
export function schemaCollector() {
  const components: JsonObject = {};
  return {
    components,
    /** The schema of a request or an answer as it is sent. */
    schemaOf(schema: z.ZodType): JsonObject {
      const {
        $schema: _dialect,
        $defs = {},
        ...rest
      } = z.toJSONSchema(schema, { io: 'input' }) as JsonObject & { $defs?: JsonObject };
      for (const [name, definition] of Object.entries($defs)) {
        components[name] ??= relocated(definition);
      }
      return relocated(rest) as JsonObject;
    },
  };
}

/** The same with references to the components, and without zod's own keywords. */
function relocated(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relocated);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'id' || typeof (value as JsonObject)['id'] !== 'string')
      .map(([key, inner]) => [
        key,
        key === '$ref'
          ? String(inner).replace('#/$defs/', '#/components/schemas/')
          : relocated(inner),
      ]),
  );
}
