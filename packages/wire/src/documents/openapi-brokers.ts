import type { JsonObject } from './json-schemas.js';

/** A broker of the server, as the documents describe it. */
export interface DocumentedBroker {
  readonly name: string;
  /** The fields of `credentials`. */
  readonly asksFor: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
    readonly example: string;
  }[];
}

const credentialsOf = ({ name: broker, asksFor }: DocumentedBroker): JsonObject => ({
  title: broker,
  type: 'object',
  properties: Object.fromEntries(
    asksFor.map(({ name, description, example }) => [
      name,
      { type: 'string', description, examples: [example] },
    ]),
  ),
  required: asksFor.filter(({ required }) => required).map(({ name }) => name),
  additionalProperties: false,
});

/** The credentials of a broker, in a sentence. */
export const credentialsInWords = ({ name: broker, asksFor }: DocumentedBroker): string => {
  const fields = asksFor.map(
    ({ name, required, description }) =>
      `${name}${required ? '' : ' (optional)'}: ${description.replace(/\.$/, '')}`,
  );
  return `${broker} asks for ${fields.join('; ') || 'nothing'}.`;
};

/** The schema of a request that takes `credentials`, with those of each broker of this server. */
export function withBrokers(schema: JsonObject, brokers: readonly DocumentedBroker[]): JsonObject {
  const { credentials, broker, ...fields } = (schema['properties'] ?? {}) as JsonObject;
  if (credentials === undefined || brokers.length === 0) return schema;
  const { description } = credentials as { readonly description: string };
  const [first = {}, ...others] = brokers.map(credentialsOf);
  return {
    ...schema,
    properties: {
      ...fields,
      ...(broker !== undefined && {
        broker: { type: 'string', enum: brokers.map(({ name }) => name) },
      }),
      credentials: {
        ...(others.length > 0 ? { anyOf: [first, ...others] } : first),
        description: [description, ...brokers.map(credentialsInWords)].join(' '),
      },
    },
  };
}
