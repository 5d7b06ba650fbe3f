import { commandLine } from '../../src/cli/command-line.js';

/** Said on a busy machine only. */
const WAITING = 'Waiting for the server to answer …\n';

const heardBy = () =>
  [process, process.stdout].flatMap((emitter: NodeJS.EventEmitter) =>
    emitter.eventNames().flatMap((name) =>
      emitter.rawListeners(name).map((listener) => ({
        ...{ emitter, name },
        listener: listener as () => void,
      })),
    ),
  );

/**
 * What a command prints and how it ends, run in this process: a new one for each takes a second. Not for a
 * server, which ends the process by itself.
 */
export async function runCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  onText: (text: string) => void = () => undefined,
) {
  let [out, complaints] = ['', ''];
  const before = new Set(heardBy().map(({ listener }) => listener));
  const [stdout, stderr, { exit }] = [process.stdout.write, process.stderr.write, process];
  process.stdout.write = (text: string | Uint8Array) => {
    onText(String(text));
    return !!(out += String(text));
  };
  process.stderr.write = (text: string | Uint8Array) => !!(complaints += String(text));
  process.exit = (code) => {
    throw new Error(`the command ended the process with ${String(code)}: run it as one`);
  };
  try {
    await commandLine(['node', 'slipstream', ...args], environment);
    return { out, complaints: complaints.replaceAll(WAITING, ''), code: process.exitCode ?? 0 };
  } finally {
    process.exitCode = 0;
    Object.assign(process, { exit });
    process.stdout.write = stdout;
    process.stderr.write = stderr;
    // A command's process ends with it. This one goes on, and would warn of too many listeners.
    for (const { emitter, name, listener } of heardBy())
      if (!before.has(listener)) emitter.off(name, listener);
  }
}

/** The same in a folder. */
export async function runCommandIn(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  const home = process.cwd();
  process.chdir(folder);
  try {
    return await runCommand(args, environment);
  } finally {
    process.chdir(home);
  }
}
