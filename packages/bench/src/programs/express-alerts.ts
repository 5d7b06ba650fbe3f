import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { type AlertBody, alertDatabase } from '../baselines/alert-database.js';
import { answerQuestions } from '../program.js';

/** The baseline of P1: plain express with one durable transaction for each request. */
const [file = ''] = process.argv.slice(2);
const { transaction, handle } = alertDatabase(file);
const app = express();
app.use(express.json());
app.post('/newOrderWebhook', (request, response) => {
  response.json(transaction.immediate(request.body as AlertBody));
});
const server = createServer(app).listen(0, '127.0.0.1');
await once(server, 'listening');
answerQuestions({ port: () => (server.address() as AddressInfo).port }, () => void handle.close());
