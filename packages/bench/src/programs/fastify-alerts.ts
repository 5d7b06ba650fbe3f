import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { type AlertBody, alertDatabase } from '../baselines/alert-database.js';
import { answerQuestions } from '../program.js';

/** The baseline of P3: fastify, with one durable transaction for all requests that arrive in one turn of the event loop. */
const [file = ''] = process.argv.slice(2);
const { take, handle } = alertDatabase(file);
const waiting: { readonly alert: AlertBody; answer(given: object): void }[] = [];
const commit = handle.transaction((group: typeof waiting) => group.map(({ alert }) => take(alert)));

function flush(): void {
  const group = waiting.splice(0);
  const answers = commit.immediate(group);
  group.forEach(({ answer }, index) => answer(answers[index] ?? {}));
}

const app = fastify();
app.post(
  '/newOrderWebhook',
  (request) =>
    new Promise<object>((resolve) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ alert: request.body as AlertBody, answer: resolve });
    }),
);
await app.listen({ port: 0, host: '127.0.0.1' });
answerQuestions(
  { port: () => (app.server.address() as AddressInfo).port },
  () => void handle.close(),
);
