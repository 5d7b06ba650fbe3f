import { commandLine } from './cli/command-line.js';
import { makeObjectsYoung } from './garbage.js';

makeObjectsYoung();
await commandLine(process.argv, process.env);
