import { commandLine } from './cli/command-line.js';
import { outliveReaders } from './cli/output.js';
import { tuneGarbageCollector } from './garbage.js';

tuneGarbageCollector();
outliveReaders();
await commandLine(process.argv, process.env);
