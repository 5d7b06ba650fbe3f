import { commandLine } from './cli/command-line.js';
import { tuneGarbageCollector } from './garbage.js';

tuneGarbageCollector();
await commandLine(process.argv, process.env);
