import { fdatasyncSync, openSync } from 'node:fs';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { connectionOn, holdInLog, openWriter } from '../storage/connection.js';
import { type Batch, type BatchEnd, makeBatch } from './batch.js';

// The thread that makes batches of writes, each in a transaction of its own.
const port = parentPort as MessagePort;
const path = workerData as string;
const connection = connectionOn(openWriter(path));
connection.handle.pragma('synchronous = NORMAL');
const log = openSync(`${path}-wal`, 'r+');

function performed(batch: Batch): BatchEnd {
  holdInLog(connection.handle, batch.pages);
  if (!makeBatch(connection, batch)) return 'refused';
  try {
    fdatasyncSync(log);
    return 'durable';
  } catch {
    return 'lost';
  }
}

port.on('message', (batch: Batch | null) => {
  if (batch) return port.postMessage(performed(batch));
  connection.handle.close();
  port.close();
});
port.postMessage('ready');
