import { execFile } from 'node:child_process';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Parser } from '@asyncapi/parser';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import openapiTS, { astToString } from 'openapi-typescript';
import { type ComposedServer, composedServer, newFolder } from '../helpers/composed-server.js';
import { PACKAGES, ROOT } from '../helpers/repository.js';

/** A client made from the document alone: what a stranger gets who generates one. */
const PROGRAM = `
import createClient from 'openapi-fetch';
import type { paths } from './api.js';

const [, , baseUrl = '', token = ''] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { authorization: 'Bearer ' + token } });
const made = await client.POST('/newStrategy', { body: { type: 'stock', name: 'Generated' } });
const strategy_id: string = made.data?.response.strategy_id ?? '';
const found = await client.GET('/getStrategies', { params: { query: { 'strategy_id[]': [strategy_id] } } });
const refused = await client.POST('/newOrder', {
  body: { strategy_id, stock_id: 'AAPL:NASDAQ', action: 'buy', type: 'market', amount: '-1' },
});
const sentence: string | undefined = refused.error?.response;
const name: string | undefined = found.data?.response[0]?.name;
// @ts-expect-error A strategy has no such field.
const none: unknown = found.data?.response[0]?.no_such_field;
console.log(JSON.stringify({ name, none, sentence }));
`;

const run = promisify(execFile);

/** The JSON pointers of all schemas in a document, as `$ref` takes them. */
function schemasIn(value: unknown, place: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = `${place}/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`;
    return key === 'schema' ? [at] : schemasIn(inner, at);
  });
}

/** Judges of others, which know nothing of the table that the documents are made from. */
describe('the documents of the interface', () => {
  let server: ComposedServer;
  let openText: string;
  let streamText: string;
  let token: string;
  // Read at once: a judge holds this process for so long that idle connections end meanwhile.
  beforeAll(async () => {
    server = await composedServer();
    openText = (await server.call('GET', '/openapi.json')).text;
    token = await server.user('generated');
    streamText = (await server.call('GET', '/asyncapi.json')).text;
  });
  afterAll(() => server.close());

  it("keeps every recommended rule of Redocly's for OpenAPI 3.1", async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: openText, config });
    const [said] = [
      problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
    ];
    // A server at the loopback address is where this one is.
    expect(said.filter(([rule]) => rule !== 'no-server-example.com')).toEqual([]);
  });

  it('gives its schemas names that differ by more than case: generators make a file of each', () => {
    const { components } = JSON.parse(openText) as { components: { schemas: object } };
    const names = Object.keys(components.schemas).map((name) => name.toLowerCase());
    expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
  });

  it('has schemas that a strict validator takes, with formats that JSON Schema knows', () => {
    const formats = { 'date-time': true, date: true, uri: true } as const;
    // Decimals are text or a number, which strict mode has an option for.
    const cheap = { inlineRefs: false, code: { optimize: false }, validateSchema: false };
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, formats, ...cheap });
    ajv.addVocabulary(['openapi', 'info', 'servers', 'tags', 'paths', 'webhooks', 'components']);
    ajv.addVocabulary(['example']);
    ajv.addSchema(JSON.parse(openText) as object, 'openapi');
    const places = schemasIn(JSON.parse(openText), '');
    expect(places.length).toBeGreaterThan(200);
    const refused = places.flatMap((place) => {
      try {
        ajv.compile({ $ref: `openapi#${place}` });
        return [];
      } catch (error) {
        return [[place, String(error)]];
      }
    });
    expect(refused).toEqual([]);
  });

  it('is valid AsyncAPI 3', async () => {
    const { document, diagnostics } = await new Parser().parse(streamText);
    // 3.0 is what the tools of others read; the parser would have 3.1.
    expect(diagnostics.filter(({ code }) => code !== 'asyncapi-latest-version')).toEqual([]);
    expect(document?.operations().all()).toHaveLength(2);
  });

  it('names the address at which the server listens', () => {
    const streams = JSON.parse(streamText) as {
      servers: { live: { host: string; protocol: string } };
    };
    const operations = JSON.parse(openText) as { servers: { url: string }[] };
    expect(operations.servers).toEqual([{ url: server.url }]);
    expect(streams.servers.live).toEqual({ host: new URL(server.url).host, protocol: 'ws' });
  });

  it('names PUBLIC_URL where that is set', async () => {
    const other = await composedServer({ environment: { PUBLIC_URL: 'https://x.test/api' } });
    try {
      const [open, live] = [
        await other.call('GET', '/openapi.json'),
        await other.call('GET', '/asyncapi.json'),
      ];
      expect(JSON.parse(open.text)).toMatchObject({ servers: [{ url: 'https://x.test/api' }] });
      expect(JSON.parse(live.text)).toMatchObject({
        servers: { live: { host: 'x.test', protocol: 'wss', pathname: '/api' } },
      });
    } finally {
      await other.close();
    }
  });

  it('lists the codes of an alert that was not taken, beyond its limit too', async () => {
    const other = await composedServer({ environment: { RATE_LIMITS: 'alerts=1' } });
    try {
      const api_token = await other.user('alerts');
      const body = { strategy_id: 's', stock_id: 'a', action: 'buy', api_token };
      const send = () => other.call('POST', '/newOrderWebhook', { body });
      const [, { status, headers }] = [await send(), await send()];
      const code = headers.get('x-error-code') ?? '';
      expect([status, code]).toEqual([503, 'rate_limited']);
      const { paths, components } = JSON.parse(openText) as {
        paths: { '/newOrderWebhook': { post: { responses: { 503: { $ref: string } } } } };
        components: { responses: Record<string, { headers: Record<string, { schema: object }> }> };
      };
      const { $ref } = paths['/newOrderWebhook'].post.responses[503];
      const answer = components.responses[$ref.split('/').at(-1) ?? ''];
      expect(answer?.headers['X-Error-Code']?.schema).toMatchObject({
        enum: expect.arrayContaining([code, 'unavailable']),
      });
    } finally {
      await other.close();
    }
  });

  it('makes a typed client with a generator, which compiles strictly and calls the server', async () => {
    const folder = newFolder();
    try {
      const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
      write('api.ts', astToString(await openapiTS(openText)));
      write('program.ts', PROGRAM);
      write('package.json', '{ "type": "module" }');
      write(
        'tsconfig.json',
        JSON.stringify({
          compilerOptions: {
            module: 'nodenext',
            target: 'es2023',
            lib: ['es2023', 'dom', 'dom.iterable'],
            types: ['node'],
            strict: true,
            outDir: 'built',
          },
          files: ['program.ts'],
        }),
      );
      symlinkSync(join(PACKAGES, 'server/node_modules'), join(folder, 'node_modules'));
      const typeRoots = join(ROOT, 'node_modules/@types');
      const tsc = join(ROOT, 'node_modules/typescript-7/bin/tsc');
      const { stdout: complaints } = await run(
        process.execPath,
        [tsc, '-p', folder, '--typeRoots', typeRoots],
        { cwd: folder },
      ).catch((error: unknown) => error as { stdout: string });
      expect(complaints).toBe('');

      const { stdout } = await run(process.execPath, ['built/program.js', server.url, token], {
        cwd: folder,
      });
      expect(JSON.parse(stdout)).toEqual({
        name: 'Generated',
        sentence: expect.stringMatching(/^Request failed\. amount/),
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
