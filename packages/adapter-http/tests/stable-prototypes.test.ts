import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express, { type ErrorRequestHandler, type Express, Router } from 'express';
import { stablePrototypes } from '../src/connections/stable-prototypes.js';

/** An application that uses the members that express adds to requests and responses. */
function anApp(): Express {
  const app = express();
  app.set('trust proxy', 1);
  app.use(express.json());
  const router = Router();
  router.get(
    '/things/:id',
    ({ params, query, ip, path, hostname, protocol, baseUrl }, response) => {
      response.json({ params, query, ip, path, hostname: typeof hostname, protocol, baseUrl });
    },
  );
  app.use('/nested', router);
  app.post('/echo', (request, response) => {
    response
      .status(201)
      .set('X-Kind', String(request.is('json')))
      .json(request.body);
  });
  app.get('/text', (request, response) => {
    response
      .vary('Accept')
      .type('text')
      .send(`${request.get('accept')} ${request.xhr}`);
  });
  app.get('/format', (_, response) => {
    response.format({ html: () => response.send('<p>'), json: () => response.json({}) });
  });
  app.get('/cookie', (_, response) => {
    response.cookie('a', 'b', { httpOnly: true }).append('X-Two', ['1', '2']).sendStatus(202);
  });
  app.get('/away', (_, response) => response.redirect(303, '/text'));
  app.get('/mounted', (request, response) => {
    response.locals['seen'] = request.app === app && response.app === app;
    response.json(response.locals);
  });
  app.get('/throws', () => {
    throw new Error('at once');
  });
  app.get('/rejects', async () => Promise.reject(new Error('later')));
  const failed: ErrorRequestHandler = (error: Error & { status?: number }, _, response, _next) => {
    response.status(error.status ?? 500).json({ message: error.message });
  };
  app.use(failed);
  return app;
}

const listen = async (server: Server): Promise<Server> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

async function answered(server: Server, method: string, path: string, init: RequestInit) {
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    redirect: 'manual',
    ...init,
  });
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => name !== 'date'));
  return { status: answer.status, headers, text: await answer.text() };
}

const json = (body: string): RequestInit => ({
  body,
  headers: { 'content-type': 'application/json' },
});

// oxfmt-ignore
const REQUESTS: readonly (readonly [method: string, path: string, init?: RequestInit])[] = [
  ['GET', '/nested/things/7?a=1&a=2', { headers: { 'x-forwarded-for': '10.1.2.3', 'x-forwarded-proto': 'https' } }],
  ['POST', '/echo', json('{"a":1}')],
  ['POST', '/echo', json('{"a":')],
  ['POST', '/echo', { body: 'plain' }],
  ['GET', '/text', { headers: { accept: 'text/plain', 'x-requested-with': 'xmlhttprequest' } }],
  ['HEAD', '/text'],
  ['GET', '/text', { headers: { 'if-none-match': '*' } }],
  ['GET', '/format', { headers: { accept: 'application/json' } }],
  ['GET', '/format', { headers: { accept: 'image/png' } }],
  ['GET', '/cookie'],
  ['GET', '/away'],
  ['GET', '/mounted'],
  ['GET', '/throws'],
  ['GET', '/rejects'],
  ['OPTIONS', '/text'],
  ['GET', '/nowhere'],
  ['GET', '/nested/things/%E0%A4%A'],
];

describe('the stable prototypes', () => {
  let servers: readonly [stock: Server, fast: Server];
  beforeAll(async () => {
    const app = anApp();
    servers = [
      await listen(createServer(anApp())),
      await listen(createServer(stablePrototypes(app), app)),
    ];
  });
  afterAll(() => {
    for (const server of servers) server.close();
  });

  it.each(REQUESTS)('answer %s %s as express itself does (%#)', async (method, path, init = {}) => {
    const [stock, fast] = servers;
    expect(await answered(fast, method, path, init)).toEqual(
      await answered(stock, method, path, init),
    );
  });

  it('do not change the prototype of a request', async () => {
    const app = express();
    const classes = stablePrototypes(app);
    let same = false;
    app.get('/', (request, response) => {
      same = Object.getPrototypeOf(request) === classes.IncomingMessage?.prototype;
      response.end();
    });
    const server = await listen(createServer(classes, app));
    await answered(server, 'GET', '/', {});
    server.close();
    expect(same).toBe(true);
  });
});
