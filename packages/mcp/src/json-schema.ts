import { z } from 'zod';

/** The parts of a JSON Schema that are read here. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

/** The schema of what is sent: of a request before it is read, of an answer as it is presented. */
export const jsonSchemaOf = (schema: z.ZodType): JsonSchema => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  });
  return rest as JsonSchema;
};

/** Every alternative of the schema, with its references followed. */
export function alternativesOf(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  const named = schema.$ref && root.$defs?.[schema.$ref.replace('#/$defs/', '')];
  const inner = [...(named ? [named] : []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [schema, ...inner.flatMap((one) => alternativesOf(one, root))];
}
