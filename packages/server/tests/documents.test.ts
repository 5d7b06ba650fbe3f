import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Parser } from '@asyncapi/parser';
import { compileErrors, validate } from '@readme/openapi-parser';
import { type ComposedServer, composedServer } from './composed-server.js';

/** Parsers of others, which know nothing of the table that the documents are made from. */
describe('the documents of the interface', () => {
  let server: ComposedServer;
  beforeAll(async () => {
    server = await composedServer();
  });
  afterAll(() => server.close());

  it('is valid OpenAPI 3.1', async () => {
    const { text } = await server.call('GET', '/openapi.json');
    const result = await validate(JSON.parse(text) as Parameters<typeof validate>[0]);
    expect(result.valid ? '' : compileErrors(result)).toBe('');
  });

  it('is valid AsyncAPI 3', async () => {
    const { text } = await server.call('GET', '/asyncapi.json');
    const { document, diagnostics } = await new Parser().parse(text);
    const ERROR = 0;
    expect(diagnostics.filter(({ severity }) => (severity as number) === ERROR)).toEqual([]);
    expect(document?.operations().all()).toHaveLength(2);
  });
});
