import { commandLine } from './cli/command-line.js';
import { letReadersLeave } from './cli/output.js';
import { tuneGarbageCollector } from './garbage.js';

tuneGarbageCollector();
letReadersLeave();
await commandLine(process.argv, process.env);
