// Jest's environment for shared modules: tests have Node's own globals, and leave the process as it was.
const { createContext } = require('node:vm');

/** Jest asks for one, and runs nothing of ours in it. */
const context = createContext({});

const present = () => ({ ...process.env, 'its working directory': process.cwd() });

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
