import { type Socket, connect } from 'node:net';
import { answerQuestions } from '../program.js';
import { quantile } from '../measure/statistics.js';

/** Load on an HTTP server: each connection sends its requests in turn, each one after the answer to the one before. */
export interface HttpLoad {
  readonly port: number;
  readonly seconds: number;
  /** For each connection its requests as bytes of HTTP. */
  readonly connections: readonly (readonly string[])[];
  /** Requests of each connection in a second; as many as are answered unless given. */
  readonly perSecond?: number;
}

export interface HttpLoadResult {
  readonly answered: number;
  readonly seconds: number;
  /** The number of answers other than 200, and the text of the first one. */
  readonly refused: number;
  readonly firstRefusal: string;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

interface Tally {
  readonly latencies: number[];
  refused: number;
  firstRefusal: string;
}

/** The length of the answer at the start of `text`; undefined while it is incomplete. */
function lengthOf(text: string): number | undefined {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head));
  const end = head + 4 + Number(length?.[1] ?? 0);
  return text.length >= end ? end : undefined;
}

/** The next request of each connection in the next round, because alerts open and close in turn. */
const places = new Map<string, number>();

/** How often a connection may break before this counts as a fault of the server. */
const PATIENCE = 20;

function drive(
  port: number,
  requests: readonly string[],
  until: number,
  tally: Tally,
  perSecond = Infinity,
): Promise<void> {
  const name = `${port} ${requests[0] ?? ''}`;
  return new Promise((resolve, reject) => {
    let place = places.get(name) ?? 0;
    let broken = 0;
    let sentAt = performance.now();

    /** Sends and reads until the time is over; reconnects if the server ends a connection. */
    const open = (): void => {
      const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
      let text = '';
      const send = (): void => {
        if (perSecond < Infinity) sentAt = performance.now();
        socket.write(requests[place % requests.length] ?? '');
      };
      const again = (): void => {
        socket.removeAllListeners('close').destroy();
        open();
      };
      socket.setEncoding('latin1');
      socket.once('connect', send);
      socket.on('data', (data: string) => {
        text += data;
        const end = lengthOf(text);
        if (end === undefined) return;
        const now = performance.now();
        tally.latencies.push(now - sentAt);
        if (!/^HTTP\/1.[01] 200/.test(text)) {
          tally.refused += 1;
          tally.firstRefusal ||= text.slice(0, end);
        }
        const isLast = /\r\nconnection: close\r\n/i.test(text.slice(0, end));
        text = text.slice(end);
        place += 1;
        const next = Math.max(now, sentAt + 1000 / perSecond);
        sentAt = next;
        if (now >= until) {
          places.set(name, place);
          socket.removeAllListeners('close').destroy();
          resolve();
        } else if (isLast) again();
        else if (next > now) setTimeout(send, next - now);
        else send();
      });
      socket.on('error', () => undefined);
      socket.once('close', () => {
        broken += 1;
        if (broken > PATIENCE) reject(new Error('the server breaks connections'));
        else again();
      });
    };
    open();
  });
}

answerQuestions({
  async run({ port, seconds, connections, perSecond }: HttpLoad): Promise<HttpLoadResult> {
    const tally: Tally = { latencies: [], refused: 0, firstRefusal: '' };
    const begun = performance.now();
    const until = begun + seconds * 1000;
    await Promise.all(
      connections.map((requests) => drive(port, requests, until, tally, perSecond)),
    );
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
