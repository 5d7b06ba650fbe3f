import { commandLine } from './cli/command-line.js';

await commandLine(process.argv, process.env);
