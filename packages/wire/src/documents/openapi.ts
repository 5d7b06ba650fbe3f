import { type JsonObject, schemaCollector } from './json-schemas.js';
import { type DocumentedBroker, withBrokers } from './openapi-brokers.js';
import { operations } from '../operations/index.js';
import { type Operation, GROUPS, IDEMPOTENCY_KEY } from '../operations/operation.js';
import { HEADERS, FAILURES, envelopeSchema, REQUEST_ID, failuresOf } from './openapi-failures.js';
import { webhooksOf } from './openapi-webhooks.js';
import { takesArray } from '../requests/query.js';

type SchemaOf = ReturnType<typeof schemaCollector>['schemaOf'];

/**
 * The OpenAPI 3.1 document of every operation. `baseUrl` is where clients reach the service, by default the document's own
 * host. `brokers` are those of the server; `disclosure` says what the figures of strategies are.
 */
export function openApi({
  version,
  baseUrl = '/',
  brokers = [],
  disclosure,
}: {
  version: string;
  baseUrl?: string;
  brokers?: readonly DocumentedBroker[];
  disclosure?: string | undefined;
}): JsonObject {
  const { components, schemaOf } = schemaCollector();
  const paths = Object.fromEntries(
    Object.values(operations).map((operation: Operation) => [
      operation.path,
      { [operation.method.toLowerCase()]: describe(operation, schemaOf, brokers) },
    ]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Slipstream',
      version,
      license: { name: 'MIT', identifier: 'MIT' },
      description: [
        'Publish, follow and mirror trading strategies. Every answer is {"success", "response"}. In a failure the response is a sentence, and X-Error-Code is a code for programs.',
        ...(disclosure === undefined ? [] : [disclosure]),
      ].join(' '),
    },
    servers: [{ url: baseUrl }],
    tags: Object.entries(GROUPS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhooksOf(schemaOf),
    components: {
      schemas: components,
      parameters: { IdempotencyKey: KEY },
      headers: HEADERS,
      responses: FAILURES,
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token of the user; it may also stand alone, without the word Bearer.',
        },
        operator: {
          type: 'http',
          scheme: 'bearer',
          description: 'The OPERATOR_TOKEN of this server.',
        },
      },
    },
  };
}

const KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Within 24 hours the same key with the same body returns the first 200 answer again, without another effect.',
  schema: { type: 'string', pattern: IDEMPOTENCY_KEY.source },
};

/** The scope as a role of the token, which OpenAPI 3.1 provides for schemes without scopes of their own. */
function securityOf({ auth, scope }: Operation): readonly JsonObject[] {
  const token = { token: scope === null ? [] : [scope] };
  switch (auth) {
    case 'required':
      return [token];
    case 'optional':
      return [{}, token];
    case 'operator':
      return [{ operator: [] }];
    // An alert carries its token in the body.
    case 'none':
    case 'body':
      return [];
  }
}

const scopeSentence = ({ auth, scope }: Operation): string =>
  scope === null || auth === 'none' || auth === 'operator'
    ? ''
    : `Scope of the token: \`${scope}\`.`;

/** The answer: in the envelope, as a table too, or a file. */
function contentOf(operation: Operation, schemaOf: SchemaOf): JsonObject {
  const schema = schemaOf(operation.response);
  const { response } = operation.example;
  if (operation.file !== undefined)
    return { [operation.file.split(';')[0] ?? '']: { schema, example: response } };
  return {
    'application/json': {
      schema: envelopeSchema(schema, true),
      example: { success: true, response },
    },
    ...(operation.csv && { 'text/csv': { schema: { type: 'string' } } }),
  };
}

function describe(
  operation: Operation,
  schemaOf: SchemaOf,
  brokers: readonly DocumentedBroker[],
): JsonObject {
  const request = withBrokers(withApiToken(operation, schemaOf(operation.request)), brokers);
  return {
    operationId: operation.name,
    tags: [operation.group],
    summary: operation.summary,
    description: [operation.description, scopeSentence(operation)].filter(Boolean).join(' '),
    security: securityOf(operation),
    ...(operation.method === 'GET'
      ? { parameters: parameters(operation, request) }
      : { requestBody: body(operation, request) }),
    ...(operation.takesIdempotencyKey && {
      parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }],
    }),
    responses: {
      200: {
        description: 'Done.',
        headers: REQUEST_ID,
        content: contentOf(operation, schemaOf),
      },
      ...failuresOf(operation),
    },
  };
}

const API_TOKEN = 'a token with the scope newOrder';

/** Adds the token of an alert to the body. */
function withApiToken(operation: Operation, schema: JsonObject): JsonObject {
  if (operation.auth !== 'body') return schema;
  return {
    ...schema,
    properties: {
      ...(schema['properties'] as JsonObject),
      api_token: { type: 'string', description: API_TOKEN },
    },
    required: [...(schema['required'] as string[]), 'api_token'],
  };
}

/** The request of the row's example, with the token if it is an alert. */
export const exampleRequest = (operation: Operation): unknown =>
  operation.auth === 'body'
    ? { ...(operation.example.request as JsonObject), api_token: API_TOKEN }
    : operation.example.request;

const body = (operation: Operation, schema: JsonObject): JsonObject => ({
  required: true,
  content: { 'application/json': { schema, example: exampleRequest(operation) } },
});

function parameters(operation: Operation, schema: JsonObject): JsonObject[] {
  const required = (schema['required'] ?? []) as readonly string[];
  const example = operation.example.request as JsonObject;
  return Object.entries((schema['properties'] ?? {}) as JsonObject).map(([name, property]) => ({
    name: takesArray(operation, name) ? `${name}[]` : name,
    in: 'query',
    required: required.includes(name),
    schema: property,
    ...(takesArray(operation, name) && { style: 'form', explode: true }),
    ...(example[name] !== undefined && { example: ofType(property, example[name]) }),
  }));
}

/** A query is text, while its document says integers. */
const ofType = (schema: unknown, value: unknown): unknown =>
  (schema as JsonObject)['type'] === 'integer' ? Number(value) : value;
