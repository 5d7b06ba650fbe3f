/** The program of a front: it takes connections of clients and lets the server, its parent, answer. */
import type { AddressInfo } from 'node:net';
import { aesSecretBox, uuidV7Ids } from '@slipstream/adapter-crypto';
import { ServingNode, httpServer, nodeFront } from '@slipstream/adapter-http';
import { asksForStreams } from '@slipstream/adapter-ws';
import { type NotListening, drained, listen } from '../listening.js';
import { createDrops } from '../monitoring/drops.js';
import { jsonLogger, logFrom } from '../monitoring/logging.js';
import { systemClock, systemTimers } from '../system.js';
import { type FromFront, type FrontOptions, SERVER, type ToFront } from './words.js';

/** How often dropped connections are logged, in milliseconds. */
const DROPS_LOGGED = 10_000;

const say = (word: FromFront, said = (): void => undefined): void =>
  void process.send?.(word, said);

/** Listens; returns the function that ends it. */
function begin({ linkUrl, linkKey, host, port, limits, ...options }: FrontOptions): () => void {
  const log = logFrom(jsonLogger(options.logLevel));
  const ids = uuidV7Ids(systemClock);
  const serving = new ServingNode({
    ...{ proofs: aesSecretBox([linkKey]), isRemote: false, log },
    owner: () => ({ id: SERVER, url: linkUrl }),
    onStranger: () => process.exit(1),
    onLeft: () => undefined,
  });
  const front = nodeFront({
    ...{ serving, log, trustProxy: options.trustProxy, hasHealth: false, carriesStreams: false },
    ...{ local: () => undefined, mayStream: () => true },
    newId: () => ids.next(),
    // The server runs as long as its fronts: what it still does cannot be known.
    wasDone: async () => undefined,
  });
  const drops = createDrops(log, (reason) => say({ kind: 'dropped', reason }));
  const { server, drain } = httpServer(front.app, {
    ...{ upgrades: asksForStreams, limits, isBehindProxy: options.trustProxy > 0 },
    newId: () => ids.next(),
    dropped: (...drop) => drops.count(...drop),
  });
  front.attach(server);
  const stopLogging = systemTimers.every(DROPS_LOGGED, () => drops.logCounts());
  void listen(server, port, host).then(
    () => say({ kind: 'listens', at: server.address() as AddressInfo }),
    ({ message, code, syscall, port: taken }: NotListening) =>
      say({ kind: 'failed', message, cause: { code, syscall, port: taken } }, () =>
        process.disconnect(),
      ),
  );
  return () => {
    void drained(server, drain).then(() => {
      stopLogging();
      drops.logCounts();
      front.close();
      serving.stop();
      process.disconnect();
    });
  };
}

// The server ends its fronts; signals to the whole group are for the server.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
let end = (): void => process.disconnect();
process.on('message', (word: ToFront) => {
  if (word.kind === 'begin') end = begin(word.options);
  else end();
});
say({ kind: 'ready' });
