// Writes what is made from the table of operations for programs in other languages. Build first.
import { writeFileSync } from 'node:fs';
import { URL, fileURLToPath } from 'node:url';
import { curlPage, pythonModule } from '../packages/wire/dist/index.js';

const write = (file, text) =>
  writeFileSync(fileURLToPath(new URL(`../${file}`, import.meta.url)), text);
write('docs/curl.md', curlPage());
write('examples/python/slipstream.py', pythonModule());
