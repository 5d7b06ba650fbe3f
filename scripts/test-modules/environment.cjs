// Jest's environment for shared modules: tests have Node's own globals, and leave the process as it was.
const { createContext } = require('node:vm');

/** Jest asks for one, and runs nothing of ours in it. */
const context = createContext({});

/** What a test may replace for a while, and so forget to put back. */
const HOLDERS = { globalThis, Date, Math, performance, console, process };

const functionsOf = ([name, holder]) =>
  Object.entries(Object.getOwnPropertyDescriptors(holder))
    .map(([key, { value }]) => [`${name}.${key}`, value])
    .filter(([, value]) => typeof value === 'function');
const allFunctions = () => [
  ...Object.entries(HOLDERS).flatMap(functionsOf),
  ['process.stdout.write', process.stdout.write],
  ['process.stderr.write', process.stderr.write],
];

/** Before Jest adds its own. Node makes some of them when they are first used: they are not here. */
const NAMES = new Set(allFunctions().map(([name]) => name));
// graceful-fs wraps both when it is loaded.
for (const name of ['process.cwd', 'process.chdir']) NAMES.delete(name);
const functions = () => allFunctions().filter(([name]) => NAMES.has(name));
const listeners = () =>
  ['SIGINT', 'SIGTERM', 'SIGUSR2', 'uncaughtException', 'unhandledRejection'].map((name) => [
    `listeners to ${name}`,
    process.listenerCount(name),
  ]);

const present = () => ({
  ...process.env,
  ...Object.fromEntries(functions()),
  ...Object.fromEntries(listeners()),
  'its working directory': process.cwd(),
});

module.exports = class {
  global = {};
  #before = present();

  getVmContext = () => context;
  setup = async () => undefined;
  async teardown() {
    const now = present();
    const names = Object.keys({ ...this.#before, ...now });
    const changed = names.filter((name) => this.#before[name] !== now[name]);
    if (changed.length > 0)
      throw new Error(
        `the next file of tests would find ${changed.join(', ')} of the process changed`,
      );
  }
};
