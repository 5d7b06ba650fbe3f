import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createClient, isServerUrl } from '@slipstream/client';
import { serveAgents } from './serve-agents.js';

const HELP = `slipstream-mcp: Slipstream for AI agents, over the Model Context Protocol on standard input and output

An agent program starts it; it is not for a terminal.

  --allow-writes  also offer tools that change something, in two steps: prepare_…, then commitPlan
  --help          show this text
  --version       show the version

Environment:
  SLIPSTREAM_TOKEN  an api token, made by newToken; its scope, strategies and limits bound what agents can do
  SLIPSTREAM_URL    the address of the server; http://127.0.0.1:3000 if it is not set

It never writes the token anywhere. Without --allow-writes nothing can be changed.
`;

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

/** The options; undefined if there are others, which are not repeated: one of them may be a token. */
function optionsOf(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        'allow-writes': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
        version: { type: 'boolean', default: false },
      },
    }).values;
  } catch {
    return undefined;
  }
}

const printError = (sentence: string): void => {
  process.stderr.write(`slipstream-mcp: ${sentence}\n`);
  process.exitCode = 2;
};

async function main(): Promise<void> {
  const options = optionsOf(process.argv.slice(2));
  if (!options)
    return printError(
      'unknown arguments; --help lists those there are. A token is given as SLIPSTREAM_TOKEN, never here',
    );
  if (options.help) return void process.stdout.write(HELP);
  if (options.version) return void process.stdout.write(`${manifest.version}\n`);
  const { SLIPSTREAM_TOKEN: token, SLIPSTREAM_URL: setUrl } = process.env;
  // Set to nothing is not set, as on the command line.
  const url = setUrl || 'http://127.0.0.1:3000';
  if (!token?.trim())
    return printError('SLIPSTREAM_TOKEN is not set: give it an api token, made by newToken');
  if (!isServerUrl(url))
    return printError('SLIPSTREAM_URL is no address such as https://trading.example');
  const client = createClient({ url, token: token.trim(), waitForServer: false });
  const allowWrites = options['allow-writes'];
  await serveAgents({ client, allowWrites, version: manifest.version });
  process.stderr.write(
    `slipstream-mcp: ${allowWrites ? 'reads, and writes in two steps' : 'read-only'}\n`,
  );
}

await main();
