import { gzipSync } from 'node:zlib';

/** Longer than the body of any operation may be. */
const HUGE = 'x'.repeat(1_200_000);
const MUCH = 'x'.repeat(3_000_000);
const MORE_THAN_IS_READ = 'x'.repeat(6_000_000);
const WEBSOCKET = ['Upgrade: websocket', 'Connection: Upgrade, close'];
const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';

/** Requests as they go over the wire, most of which are wrong, by what is wrong. */
export const rawRequests = (
  token: string,
  operator: string,
): Readonly<Record<string, string | Buffer>> => {
  const request = (line: string, headers: string[] = [], body = '', close = true): string =>
    [
      line,
      'Host: localhost',
      ...(close ? ['Connection: close'] : []),
      ...headers,
      ...(body && !headers.some((one) => /^(content-length|transfer)/i.test(one))
        ? [`Content-Length: ${Buffer.byteLength(body)}`]
        : []),
      '',
      body,
    ].join('\r\n');
  const json = 'Content-Type: application/json';
  const auth = `Authorization: Bearer ${token}`;
  const post = (body: string, ...headers: string[]) =>
    request('POST /newPost HTTP/1.1', [json, auth, ...headers], body);
  const bodies = {
    'no JSON': '{',
    'empty object': '{}',
    array: '[]',
    null: 'null',
    number: '1',
    twice: '{"text":"a","text":"b"}',
    deep: `{"text":${'['.repeat(600)}${']'.repeat(600)}}`,
    proto: '{"__proto__":{"text":"a"}}',
    'unknown field': '{"text":"a","more":1}',
    'a token': `{"text":"${token}"}`,
    'control character': '{"text":"a\\u0007"}',
    'a lone surrogate': '{"text":"\\ud800"}',
    'a bom': '\ufeff{"text":"a"}',
    large: JSON.stringify({ text: 'x'.repeat(70_000) }),
    larger: JSON.stringify({ text: HUGE }),
    spaces: `${' '.repeat(300)}{"text":1}`,
  };
  return {
    ...Object.fromEntries(
      Object.entries(bodies).map(([name, body]) => [`body ${name}`, post(body)]),
    ),
    'no body': request('POST /newPost HTTP/1.1', [json, auth]),
    'no type': request('POST /newPost HTTP/1.1', [auth], '{"text":1}'),
    'text type': request(
      'POST /newPost HTTP/1.1',
      [auth, 'Content-Type: text/plain'],
      '{"text":1}',
    ),
    form: request(
      'POST /newPost HTTP/1.1',
      [auth, 'Content-Type: application/x-www-form-urlencoded'],
      'text=1',
    ),
    charset: request(
      'POST /newPost HTTP/1.1',
      [auth, 'Content-Type: application/json; charset=latin1'],
      '{"text":1}',
    ),
    'utf-16': request(
      'POST /newPost HTTP/1.1',
      [auth, 'Content-Type: application/json; charset=utf-16'],
      '{"text":1}',
    ),
    'not utf-8': Buffer.concat([
      Buffer.from(request('POST /newPost HTTP/1.1', [json, auth, 'Content-Length: 13'])),
      Buffer.from('{"text":"\xff1"}', 'latin1'),
    ]),
    gzip: Buffer.concat([
      Buffer.from(
        request('POST /newPost HTTP/1.1', [
          json,
          auth,
          'Content-Encoding: gzip',
          `Content-Length: ${gzipSync('{"text":1}').length}`,
        ]),
      ),
      gzipSync('{"text":1}'),
    ]),
    'gzip bomb': Buffer.concat([
      Buffer.from(
        request('POST /newPost HTTP/1.1', [
          json,
          auth,
          'Content-Encoding: gzip',
          `Content-Length: ${gzipSync(MUCH).length}`,
        ]),
      ),
      gzipSync(MUCH),
    ]),
    'unknown encoding': post('{"text":1}', 'Content-Encoding: zzz'),
    'deflate not deflate': post('{"text":1}', 'Content-Encoding: deflate'),
    br: post('{"text":1}', 'Content-Encoding: br'),
    chunked: request(
      'POST /newPost HTTP/1.1',
      [json, auth, 'Transfer-Encoding: chunked'],
      'a\r\n{"text":1}\r\n0\r\n\r\n',
    ),
    'bad chunk': request(
      'POST /newPost HTTP/1.1',
      [json, auth, 'Transfer-Encoding: chunked'],
      'zz\r\n{"text":1}\r\n0\r\n\r\n',
    ),
    'both lengths': request(
      'POST /newPost HTTP/1.1',
      [json, auth, 'Transfer-Encoding: chunked', 'Content-Length: 3'],
      'a\r\n{"text":1}\r\n0\r\n\r\n',
    ),
    'negative length': request(
      'POST /newPost HTTP/1.1',
      [json, auth, 'Content-Length: -1'],
      '{"t":1}',
    ),
    'expect 100': post('{"text":1}', 'Expect: 100-continue'),
    'expect other': post('{"text":1}', 'Expect: 200-ok'),
    'long key': post('{"text":"a"}', `Idempotency-Key: ${'k'.repeat(300)}`),
    'empty key': post('{"text":"a"}', 'Idempotency-Key: '),
    'two keys': post('{"text":"a"}', 'Idempotency-Key: a', 'Idempotency-Key: b'),
    'bad key': post('{"text":"a"}', 'Idempotency-Key: ä'),
    'key of a read': request('GET /getBots HTTP/1.1', [auth, 'Idempotency-Key: a']),
    'two tokens': request('GET /getBots HTTP/1.1', [auth, auth]),
    'no bearer': request('GET /getBots HTTP/1.1', [`Authorization: ${token}`]),
    basic: request('GET /getBots HTTP/1.1', ['Authorization: Basic YTpi']),
    'empty token': request('GET /getBots HTTP/1.1', ['Authorization: Bearer ']),
    'wrong token': request('GET /getBots HTTP/1.1', ['Authorization: Bearer slipa_wrong']),
    'token in the query': request(`GET /getBots?api_token=${token} HTTP/1.1`),
    'lower case': request('GET /getBots HTTP/1.1', [`authorization: bearer ${token}`]),
    'wrong method': request('GET /newPost HTTP/1.1', [auth]),
    'wrong method of a read': request('POST /getBots HTTP/1.1', [auth, json], '{}'),
    put: request('PUT /newPost HTTP/1.1', [auth, json], '{}'),
    delete: request('DELETE /newPost HTTP/1.1', [auth]),
    patch: request('PATCH /getBots HTTP/1.1', [auth]),
    head: request('HEAD /getBots HTTP/1.1', [auth]),
    'head of a page': request('HEAD /docs HTTP/1.1'),
    'head of nothing': request('HEAD /nowhere HTTP/1.1'),
    'head of a write': request('HEAD /newPost HTTP/1.1', [auth]),
    options: request('OPTIONS /newPost HTTP/1.1'),
    'options of all': request('OPTIONS * HTTP/1.1'),
    preflight: request('OPTIONS /newPost HTTP/1.1', [
      'Origin: https://a.example',
      'Access-Control-Request-Method: POST',
    ]),
    origin: request('GET /getServiceInfo HTTP/1.1', ['Origin: https://a.example']),
    trace: request('TRACE / HTTP/1.1'),
    connect: request('CONNECT localhost:80 HTTP/1.1'),
    purge: request('PURGE / HTTP/1.1'),
    nowhere: request('GET /nowhere HTTP/1.1'),
    'trailing slash': request('GET /getBots/ HTTP/1.1', [auth]),
    'upper case': request('GET /GETBOTS HTTP/1.1', [auth]),
    escaped: request('GET /get%42ots HTTP/1.1', [auth]),
    'bad escape': request('GET /%zz HTTP/1.1'),
    'bad escape in the query': request('GET /getBots?bot_id=%zz HTTP/1.1', [auth]),
    'double slash': request('GET //getBots HTTP/1.1', [auth]),
    dots: request('GET /docs/../getBots HTTP/1.1', [auth]),
    absolute: request('GET http://localhost/getServiceInfo HTTP/1.1'),
    'absolute elsewhere': request('GET http://evil.example/getServiceInfo HTTP/1.1'),
    fragment: request('GET /getServiceInfo#a HTTP/1.1'),
    'unknown field of a query': request('GET /getBots?a=1 HTTP/1.1', [auth]),
    'field twice': request('GET /getTimeline?limit=1&limit=2 HTTP/1.1', [auth]),
    'array of one': request('GET /getTimeline?limit[]=1 HTTP/1.1', [auth]),
    'long query': request(`GET /getBots?a=${'x'.repeat(9000)} HTTP/1.1`, [auth]),
    'longer query': request(`GET /getBots?a=${'x'.repeat(20_000)} HTTP/1.1`, [auth]),
    'large header': request('GET /getServiceInfo HTTP/1.1', [`X-A: ${'x'.repeat(9000)}`]),
    'larger header': request('GET /getServiceInfo HTTP/1.1', [`X-A: ${'x'.repeat(20_000)}`]),
    'many headers': request(
      'GET /getServiceInfo HTTP/1.1',
      Array.from({ length: 150 }, (_, at) => `X-${at}: 1`),
    ),
    'too many headers': request(
      'GET /getServiceInfo HTTP/1.1',
      Array.from({ length: 1500 }, (_, at) => `X-${at}: 1`),
    ),
    'no host': 'GET /getServiceInfo HTTP/1.1\r\nConnection: close\r\n\r\n',
    'another host':
      'GET /getServiceInfo HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
    'two hosts': request('GET /getServiceInfo HTTP/1.1', ['Host: localhost']),
    'HTTP/1.0': 'GET /getServiceInfo HTTP/1.0\r\nHost: localhost\r\n\r\n',
    'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'HTTP/3.1': 'GET / HTTP/3.1\r\nHost: localhost\r\n\r\n',
    rubbish: 'rubbish\r\n\r\n',
    'bad header': 'GET /getServiceInfo HTTP/1.1\r\nHost: localhost\r\nBad Header\r\n\r\n',
    'folded header': request('GET /getServiceInfo HTTP/1.1', ['X-A: 1', ' 2']),
    'null in a header': request('GET /getServiceInfo HTTP/1.1', ['X-A: a\0b']),
    'upgrade elsewhere': request(
      'GET /nowhere HTTP/1.1',
      [...WEBSOCKET, 'Sec-WebSocket-Version: 13', KEY],
      '',
      false,
    ),
    'upgrade of a wrong version': request(
      'GET /ws HTTP/1.1',
      [...WEBSOCKET, 'Sec-WebSocket-Version: 12', KEY],
      '',
      false,
    ),
    'upgrade without a key': request(
      'GET /ws HTTP/1.1',
      [...WEBSOCKET, 'Sec-WebSocket-Version: 13'],
      '',
      false,
    ),
    'upgrade with a wrong token': request(
      'GET /ws HTTP/1.1',
      [...WEBSOCKET, 'Sec-WebSocket-Version: 13', 'Authorization: Bearer slipa_wrong', KEY],
      '',
      false,
    ),
    'upgrade from another origin': request(
      'GET /ws HTTP/1.1',
      [...WEBSOCKET, 'Sec-WebSocket-Version: 13', 'Origin: https://evil.example', KEY],
      '',
      false,
    ),
    'a channel without an upgrade': request('GET /ws HTTP/1.1', [auth]),
    'compressed answer': request('GET /openapi.json HTTP/1.1', ['Accept-Encoding: gzip, br']),
    'not compressed': request('GET /openapi.json HTTP/1.1', ['Accept-Encoding: identity;q=0']),
    range: request('GET /docs HTTP/1.1', ['Range: bytes=0-10']),
    'none match': request('GET /docs HTTP/1.1', ['If-None-Match: *']),
    'accept nothing': request('GET /getServiceInfo HTTP/1.1', ['Accept: image/png']),
    'body of a read': request('GET /getServiceInfo HTTP/1.1', [json], '{"a":1}'),
    'request id': request('GET /getServiceInfo HTTP/1.1', ['X-Request-Id: mine']),
    pipelined:
      request('GET /getServiceInfo HTTP/1.1', [], '', false) + request('GET /nowhere HTTP/1.1'),
    forwarded: request('GET /getServiceInfo HTTP/1.1', ['X-Forwarded-For: 1.2.3.4']),
    index: request('GET / HTTP/1.1'),
    asyncapi: request('GET /asyncapi.json HTTP/1.1'),
    guide: request('GET /guide HTTP/1.1'),
    'below guide': request('GET /guide/none HTTP/1.1'),
    app: request('GET /app HTTP/1.1'),
    favicon: request('GET /favicon.ico HTTP/1.1'),
    robots: request('GET /robots.txt HTTP/1.1'),
    metrics: request('GET /metrics HTTP/1.1', ['X-Forwarded-For: 1.2.3.4']),
    healthz: request('GET /healthz HTTP/1.1'),
    'healthz by POST': request('POST /healthz HTTP/1.1', [json], '{}'),
    'healthz by HEAD': request('HEAD /healthz HTTP/1.1'),
    'healthz by OPTIONS': request('OPTIONS /healthz HTTP/1.1'),
    readyz: request('GET /readyz HTTP/1.1'),
    'readyz by PUT': request('PUT /readyz HTTP/1.1', [json], '{}'),
    'readyz with a slash': request('GET /readyz/ HTTP/1.1'),
    'healthz of another host':
      'GET /healthz HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
    'a huge body of a read': request('GET /getServiceInfo HTTP/1.1', [json], HUGE),
    'a huge body of nothing': request('POST /nowhere HTTP/1.1', [json], HUGE),
    'a huge body of nobody': request('POST /newPost HTTP/1.1', [json], HUGE),
    'a huge body of another type': request('POST /newPost HTTP/1.1', [auth], HUGE),
    'a huge body by a wrong method': request('PUT /newPost HTTP/1.1', [auth], HUGE),
    'a huge body of a page, posted': request('POST /docs HTTP/1.1', [json], HUGE),
    'a huge alert': request('POST /newOrderWebhook HTTP/1.1', [json], HUGE),
    'a huge body for the operator': request(
      'POST /newQuotes HTTP/1.1',
      [json, `Authorization: Bearer ${operator}`],
      HUGE,
    ),
    'a huge body that is compressed': request(
      'POST /newPost HTTP/1.1',
      [json, auth, 'Content-Encoding: gzip'],
      HUGE,
    ),
    'a body of six million': request('POST /newPost HTTP/1.1', [json, auth], MORE_THAN_IS_READ),
    'notices of payments': request('POST /paymentNotices HTTP/1.1', [json], '{}'),
    'an alert without JSON': request(
      'POST /newOrderWebhook HTTP/1.1',
      ['Content-Type: text/plain'],
      'buy',
    ),
    'a large alert': request(
      'POST /newOrderWebhook HTTP/1.1',
      [json],
      JSON.stringify({ a: 'x'.repeat(70_000) }),
    ),
    'alert without a token': request('POST /newOrderWebhook HTTP/1.1', [json], '{"a":1}'),
  };
};
