import { Agent, type IncomingMessage, type ServerResponse, request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { LocalIdentity } from '../timestamps/certificates.js';

/**
 * What happens to the next request: it does not reach the server (which starts again), or the connection breaks when the server has
 * answered. The client gets a 502 for both, as Caddy answers.
 */
export type ProxyFault = 'away' | 'cut';

/** A proxy that ends https in front of a server, like Caddy. */
export interface TlsProxy {
  /** `https://localhost:<port>` */
  readonly url: string;
  /** For the next requests, one each. */
  readonly faults: ProxyFault[];
  close(): Promise<void>;
}

/** Replaces what a client says of its address by the address that it calls from. */
function forwardedFrom({ headers, socket }: IncomingMessage): Record<string, string | string[]> {
  const {
    connection: _,
    forwarded: __,
    'transfer-encoding': ___,
    ...kept
  } = headers as Record<string, string | string[]>;
  return {
    ...kept,
    'x-forwarded-for': socket.remoteAddress?.replace('::ffff:', '') ?? '',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': String(headers.host ?? ''),
  };
}

/** Passes every request to `upstream`, over connections that it keeps, as Caddy does. */
export async function tlsProxy(identity: LocalIdentity, upstream: string): Promise<TlsProxy> {
  const faults: ProxyFault[] = [];
  const agent = new Agent({ keepAlive: true });
  const pass = async (asked: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const body = await buffer(asked);
    const failed = (): void => void answer.writeHead(502).end();
    const fault = faults.shift();
    if (fault === 'away') return failed();
    const sent = request(new URL(asked.url ?? '/', upstream), {
      method: asked.method,
      agent,
      headers: { ...forwardedFrom(asked), 'content-length': String(body.length) },
    });
    sent.on('error', () => answer.headersSent || failed());
    sent.on('response', (response) => {
      if (fault === 'cut') {
        response.on('close', failed);
        sent.socket?.resetAndDestroy();
        response.destroy();
        return;
      }
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    sent.end(body);
  };
  const server = createServer(
    { cert: identity.certificate, key: identity.key },
    (asked, answer) => {
      pass(asked, answer).catch(() => answer.destroy());
    },
  );
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    faults,
    close: () =>
      new Promise((closed) => {
        agent.destroy();
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
