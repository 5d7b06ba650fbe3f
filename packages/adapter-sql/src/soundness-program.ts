import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { openReader, requireSound } from './storage/connection.js';

// The thread that checks a large file while others read it already.
const reader = openReader(workerData as string);
requireSound(reader);
reader.close();
(parentPort as MessagePort).postMessage('sound');
