import { fdatasyncSync, openSync } from 'node:fs';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { connectionOn, holdInLog, openWriter } from '../storage/connection.js';
import { type Batch, type BatchEnd, makeBatch } from './batch.js';

// The thread that makes batches of writes, each in a transaction of its own.
const port = parentPort as MessagePort;
const path = workerData as string;
const connection = connectionOn(openWriter(path));
connection.handle.pragma('synchronous = NORMAL');
// Nobody shall wait for an answer while a full log is copied.
holdInLog(connection.handle, 0);
const log = openSync(`${path}-wal`, 'r+');

function performed(batch: Batch): BatchEnd {
  if (!makeBatch(connection, batch)) return 'refused';
  try {
    fdatasyncSync(log);
    return 'durable';
  } catch {
    return 'lost';
  }
}

/** Copies a full log into the file. One that cannot be copied now is copied after a later batch. */
function copyFullLog(pages: number): void {
  try {
    const [found] = connection.handle.pragma('wal_checkpoint(NOOP)') as { log: number }[];
    if (found && found.log >= pages) connection.handle.pragma('wal_checkpoint(PASSIVE)');
  } catch {
    // The log still has everything.
  }
}

port.on('message', (batch: Batch | null) => {
  if (batch) {
    port.postMessage(performed(batch));
    copyFullLog(batch.pages);
    return;
  }
  connection.handle.close();
  port.close();
});
port.postMessage('ready');
