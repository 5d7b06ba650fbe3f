import { type IncomingHttpHeaders, request } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

/** A request as it goes over the wire, right or wrong. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  /** What follows `?`. */
  readonly query?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const DECODED: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  deflate: inflateSync,
  gzip: gunzipSync,
};

/** The body without its compression. */
const decoded = ({ 'content-encoding': encoding }: IncomingHttpHeaders, body: Buffer): Buffer =>
  body.length === 0 ? body : (DECODED[encoding ?? '']?.(body) ?? body);

/** What fetch would correct or forbid is sent as it is. Rejects when there is no whole answer after `patience` ms. */
export function sendAsIs(url: string, sent: Sent, patience: number): Promise<Received> {
  const { method, path, query = '', headers, body } = sent;
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}`, {
      method,
      path: query === '' ? path : `${path}?${query}`,
      headers: {
        ...headers,
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      },
    });
    const late = setTimeout(
      () => outgoing.destroy(new Error(`no answer after ${patience} ms`)),
      patience,
    );
    outgoing.once('error', reject);
    outgoing.once('close', () => clearTimeout(late));
    outgoing.once('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.once('error', reject);
      incoming.once('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text: decoded(incoming.headers, Buffer.concat(chunks)).toString('utf8'),
        }),
      );
    });
    outgoing.end(body);
  });
}
