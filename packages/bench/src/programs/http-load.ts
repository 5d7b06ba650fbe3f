import { type Socket, connect } from 'node:net';
import { answerQuestions } from '../program.js';
import { quantile } from '../statistics.js';

/** Load on an HTTP server: each connection sends its requests in turn, the next when the last one is answered. */
export interface HttpLoad {
  readonly port: number;
  readonly seconds: number;
  /** Of each connection, the requests as they go over the wire. */
  readonly connections: readonly (readonly string[])[];
}

export interface HttpLoadResult {
  readonly answered: number;
  readonly seconds: number;
  /** Answers other than 200, the first of them as text. */
  readonly refused: number;
  readonly firstRefusal: string;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Where each connection goes on in the next round: alerts open and close in turn. */
const places = new Map<string, number>();

interface Tally {
  readonly latencies: number[];
  refused: number;
  firstRefusal: string;
}

/** Bytes of the answer that begins `text`, or undefined while it is not complete. */
function lengthOf(text: string): number | undefined {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head));
  const end = head + 4 + Number(length?.[1] ?? 0);
  return text.length >= end ? end : undefined;
}

function drive(port: number, requests: readonly string[], until: number, tally: Tally): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const name = `${port} ${requests[0] ?? ''}`;
    let place = places.get(name) ?? 0;
    let sentAt = 0;
    let text = '';
    const send = (): void => {
      sentAt = performance.now();
      socket.write(requests[place % requests.length] ?? '');
      place += 1;
    };
    socket.setEncoding('latin1');
    socket.once('connect', send);
    socket.on('data', (data: string) => {
      text += data;
      const end = lengthOf(text);
      if (end === undefined) return;
      const now = performance.now();
      tally.latencies.push(now - sentAt);
      if (!text.startsWith('HTTP/1.1 200')) {
        tally.refused += 1;
        tally.firstRefusal ||= text.slice(0, end);
      }
      text = text.slice(end);
      if (now < until) send();
      else {
        places.set(name, place);
        socket.end();
        resolve();
      }
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the server closed a connection')));
  });
}

answerQuestions({
  async run({ port, seconds, connections }: HttpLoad): Promise<HttpLoadResult> {
    const tally: Tally = { latencies: [], refused: 0, firstRefusal: '' };
    const begun = performance.now();
    const until = begun + seconds * 1000;
    await Promise.all(connections.map((requests) => drive(port, requests, until, tally)));
    const { latencies, refused, firstRefusal } = tally;
    return {
      answered: latencies.length,
      seconds: (performance.now() - begun) / 1000,
      refused,
      firstRefusal,
      p50: quantile(latencies, 0.5),
      p99: quantile(latencies, 0.99),
    };
  },
});
