import WebSocket from 'ws';

export interface WatchOptions {
  readonly url: string;
  readonly token: string;
  readonly channels: readonly string[];
  readonly print: (line: string) => void;
}

/** Prints every frame of the channels, a line each, until the connection ends; resolves with the reason. */
export function watch({ url, token, channels, print }: WatchOptions): {
  readonly closed: Promise<string>;
  stop(): void;
} {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws').replace(/\/$/, '')}/ws`, {
    headers: { authorization: token },
  });
  socket.on('open', () => socket.send(JSON.stringify({ id: '1', action: 'subscribe', channels })));
  socket.on('message', (data: Buffer) => print(data.toString('utf8')));
  const closed = new Promise<string>((resolve, reject) => {
    socket.on('close', (code, reason) =>
      resolve(`closed (${code}) ${reason.toString('utf8')}`.trim()),
    );
    socket.on('error', reject);
  });
  return { closed, stop: () => socket.close() };
}
