import { type JsonObject, schemaCollector } from './json-schemas.js';
import { GROUPS, IDEMPOTENCY_KEY, type Operation, takesIdempotencyKey } from './operation.js';
import { operations } from './operations/index.js';
import { takesArray } from './query.js';

type SchemaOf = ReturnType<typeof schemaCollector>['schemaOf'];

/** The OpenAPI 3.1 document of every operation. */
export function openApi({ version, baseUrl }: { version: string; baseUrl?: string }): JsonObject {
  const { components, schemaOf } = schemaCollector();
  const paths = Object.fromEntries(
    Object.values(operations).map((operation: Operation) => [
      operation.path,
      { [operation.method.toLowerCase()]: describe(operation, schemaOf) },
    ]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Slipstream',
      version,
      description:
        'Publish, follow and mirror trading strategies. Every answer is {"success", "response"}; of a failure the response is a sentence and X-Error-Code a code for programs.',
    },
    ...(baseUrl !== undefined && { servers: [{ url: baseUrl }] }),
    tags: GROUPS.map((name) => ({ name })),
    paths,
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
    'The same key with the same body returns the first 200 answer again within 24 hours, and does nothing.',
  schema: { type: 'string', pattern: IDEMPOTENCY_KEY.source },
};

const HEADERS = {
  'X-Request-Id': {
    description: 'Names the request, also in the log of the service.',
    schema: { type: 'string' },
  },
  'X-Error-Code': {
    description: 'The reason for programs, for example invalid_field.',
    schema: { type: 'string' },
  },
};
const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };
const ERROR_CODE = { 'X-Error-Code': { $ref: '#/components/headers/X-Error-Code' } };

const failure = (description: string, response: string) => ({
  description,
  headers: { ...REQUEST_ID, ...ERROR_CODE },
  content: {
    'application/json': {
      schema: envelope({ type: 'string' }, false),
      example: { success: false, response },
    },
  },
});

const FAILURES = {
  RequestFailed: failure(
    'The request was not accepted; what to correct follows.',
    'Request failed. slippage must be a multiple of 0.001.',
  ),
  AuthenticationFailed: failure('The token is missing or invalid.', 'Authentication failed.'),
};

function envelope(response: JsonObject, success: boolean): JsonObject {
  return {
    type: 'object',
    properties: { success: { type: 'boolean', const: success }, response },
    required: ['success', 'response'],
    additionalProperties: false,
  };
}

const SECURITY: Readonly<Record<Operation['auth'], readonly JsonObject[]>> = {
  required: [{ token: [] }],
  optional: [{}, { token: [] }],
  none: [],
  body: [],
  operator: [{ operator: [] }],
};

function describe(operation: Operation, schemaOf: SchemaOf): JsonObject {
  const request = withApiToken(operation, schemaOf(operation.request));
  const success = envelope(schemaOf(operation.response), true);
  return {
    operationId: operation.name,
    tags: [operation.group],
    summary: operation.summary,
    ...(operation.description !== undefined && { description: operation.description }),
    security: SECURITY[operation.auth],
    ...(operation.method === 'GET'
      ? { parameters: parameters(operation, request) }
      : { requestBody: body(operation, request) }),
    ...(takesIdempotencyKey(operation) && {
      parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }],
    }),
    responses: {
      200: {
        description: 'Done.',
        headers: REQUEST_ID,
        content: {
          'application/json': {
            schema: success,
            example: { success: true, response: operation.example.response },
          },
        },
      },
      400: { $ref: '#/components/responses/RequestFailed' },
      ...(operation.auth !== 'none' && {
        401: { $ref: '#/components/responses/AuthenticationFailed' },
      }),
    },
  };
}

const API_TOKEN = 'a token with the scope newOrder';

/** An alert brings its token in the body. */
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

/** The request of the row's example, with the token where an alert needs it. */
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
    ...(example[name] !== undefined && { example: example[name] }),
  }));
}
