// npm run verify [-- --only part,…]: what takes too long for npm test, by seed. Parts that are done are kept and not done again.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

const FOLDER = '.verify';
const STATE = `${FOLDER}/state.json`;
const simulation = (name) => `packages/simulation/dist/${name}`;
const jest = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
];

/** Releases of Node after the one that `npm test` takes; each comes from the npm registry. */
const LATER_NODES = ['22.23.3', '24.21.0', '26.12.1'];
const byNode = (version) => [
  process.env.npm_execpath,
  ...['exec', '--yes', `--package=node-${process.platform}-${process.arch}@${version}`],
  ...['--', 'node'],
];

/** The files of tests of a folder of the packages, and of its folders. */
const testsIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true })
        .filter((name) => name.endsWith('.test.ts'))
        .map((name) => `${folder}/${name}`)
        .sort()
    : [];
const STARTS_SERVER = /composedServer\(|open(Record)?Scene\(|operations\/table\/(scene|prepared)/;

/** Every folder with tests of the composed server: the files which start it, and those which do not. */
function overNodes() {
  const folders = new Map();
  for (const file of readdirSync('packages').flatMap((name) => testsIn(`packages/${name}/tests`))) {
    const { files, others } = folders.get(dirname(file)) ?? { files: [], others: [] };
    (STARTS_SERVER.test(readFileSync(file, 'utf8')) ? files : others).push(file);
    folders.set(dirname(file), { files, others });
  }
  return [...folders].filter(([, { files }]) => files.length > 0);
}

/** What is run: `runs` of each are started one after another, each kept when it is done; `tells` finds its closing line. */
const parts = ({ seed, of, key }) => [
  {
    name: 'simulate',
    says: '5,000 random stories of the core under crashes and faults',
    runs: Array.from({ length: 10 }, (_, run) => [
      simulation('main.js'),
      ...['--runs', of(500), '--seed', `${seed * 100 + run}`],
    ]),
    tells: /every invariant held|broke/,
  },
  {
    name: 'simulate-alpaca',
    says: '10,000 random stories of bots at Alpaca, through the real adapter and its stand-in',
    runs: Array.from({ length: 20 }, (_, run) => [
      simulation('main.js'),
      ...['--broker', 'alpaca', '--runs', of(500), '--seed', `${seed * 100 + run}`],
    ]),
    tells: /every invariant held|broke/,
  },
  {
    name: 'bugs',
    says: 'every deliberate bug is found within 1,500 stories',
    runs: [[simulation('main.js'), '--self-test', '--runs', '1500', '--seed', `${seed}`]],
    tells: /seeded bugs were found/,
  },
  {
    name: 'reference',
    says: '100,000 steps against the reference matching engine',
    runs: ['memory', 'sqlite'].map((storage) => [
      simulation('reference/main.js'),
      ...['--steps', of(storage === 'memory' ? 100_000 : 10_000), '--seed', `${seed}`],
      ...['--storage', storage, '--state', `${FOLDER}/reference-${storage}-${key}.json`],
    ]),
    tells: /differences|^Story/,
  },
  {
    name: 'torture',
    says: '200 times kill -9 on the built server, and full disks',
    runs: [
      [simulation('torture/main.js'), '--kills', of(200), '--seed', `${seed}`, '--minutes', '120'],
    ],
    tells: /kills in|^FAILED/,
  },
  {
    name: 'nodes',
    says: '200 faults of three servers over one PostgreSQL: killed, paused, stopped, cut off from it and from each other',
    runs: Array.from({ length: 10 }, (_, run) => [
      simulation('node-torture/main.js'),
      ...['--faults', of(20), '--seed', `${seed * 100 + run}`],
    ]),
    tells: /faults in .* of seed|^FAILED/,
  },
  {
    name: 'node-stories',
    says: '1,000 stories of three processes over one PostgreSQL, statement by statement, and the bugs that they must find',
    runs: [
      ...Array.from({ length: 10 }, (_, run) => [
        simulation('node-stories/main.js'),
        ...['--runs', of(100), '--seed', `${seed * 100 + run}`],
      ]),
      [simulation('node-stories/main.js'), '--self-test', '--runs', '500', '--seed', `${seed}`],
    ],
    tells: /every rule held|bugs were found|^FAILED/,
  },
  {
    name: 'link-stories',
    says: '2,000 stories of three nodes that forward requests and streams over links in trouble, and the bugs that they must find',
    runs: [
      ...Array.from({ length: 10 }, (_, run) => [
        simulation('link-stories/main.js'),
        ...['--runs', of(200), '--seed', `${seed * 100 + run}`],
      ]),
      [simulation('link-stories/main.js'), '--self-test', '--runs', '1500', '--seed', `${seed}`],
    ],
    tells: /every rule held|bugs were found|^FAILED/,
  },
  {
    name: 'over-nodes',
    says: 'all tests of the whole server, of its dashboard and its agents once more, over three nodes of one PostgreSQL; each says what it skips and why',
    runs: overNodes().map(([, { files }]) => [
      ...jest,
      ...['--maxWorkers=2', '--testTimeout=600000'],
      ...files,
    ]),
    leavesOut: () =>
      overNodes().flatMap(([folder, { others }]) =>
        others.length > 0 ? `of ${folder} ${others.map((file) => basename(file)).join(', ')}` : [],
      ),
    environment: { OVER_NODES: 'on' },
    tells: /^Tests:/,
  },
  {
    name: 'transparency',
    says: 'a long story, all of whose readers are asked after each step, over every storage and by servers that end between any two steps',
    runs: [[...jest, '--maxWorkers=1', 'packages/server/tests/transparency/restarts']],
    environment: { TRANSPARENCY: 'whole' },
    tells: /^Tests:/,
  },
  {
    name: 'venue-kills',
    says: '100 times kill -9 while a bot trades at a venue in trouble',
    runs: [[simulation('venue-kills/main.js'), '--kills', of(100), '--seed', `${seed}`]],
    tells: /kills in|^FAILED/,
  },
  {
    name: 'fuzz',
    says: 'sixty times the random requests of npm test, pages and streams too',
    runs: ['fuzz.test', 'fuzz-pages', 'fuzz-streams', 'fuzz-together'].map((name) => [
      ...jest,
      ...['--maxWorkers=1', '--testTimeout=1800000', `packages/server/tests/fuzz/${name}`],
    ]),
    environment: { TEST_RUNS: of(60), TEST_SEED: `${20260303 + seed}` },
    tells: /^Tests:/,
  },
  {
    name: 'properties',
    says: '150 times the random cases of the slow properties of npm test',
    runs: [
      'application/tests/mirroring/bot-faults',
      'adapter-sql/tests/storage/record-cache',
      'adapter-sql/tests/storage/carried',
      'adapter-sql/tests/postgres/groups',
      'adapter-sql/tests/postgres/reads-beside-commits',
      'application/tests/mirroring/history/splits',
      'application/tests/mirroring/history/unheld-model',
      'application/tests/strategies/strategy-views',
      'application/tests/market/announced-stories',
      'domain/tests/ledger',
      'domain/src/performance/values/value-window',
      'domain/src/trading/max-order-size',
      'domain/src/mirroring/limits/reported-flows',
      'server/tests/billing/statements',
      'server/tests/figures',
      'server/tests/alerts/strategy-tester',
    ].map((name) => [...jest, '--maxWorkers=1', '--testTimeout=1800000', `packages/${name}`]),
    environment: { TEST_RUNS: of(150) },
    tells: /^Tests:/,
  },
  {
    name: 'ways',
    says: 'forty stories whose readers ask the same in every way, and a server that is killed forty times while it works',
    runs: ['ways/ways', 'program/killed-server'].map((name) => [
      ...jest,
      ...['--maxWorkers=1', '--testTimeout=3600000', `packages/server/tests/${name}`],
    ]),
    environment: { TEST_RUNS: of(40), TEST_SEED: `${20260304 + seed}`, TEST_STEPS: '6' },
    tells: /^Tests:/,
  },
  {
    name: 'prices',
    says: 'every row of the recorded prices (../shared/data/prices, or SLIPSTREAM_PRICES), if they are there',
    runs: [[...jest, '--maxWorkers=1', 'packages/server/tests/replay']],
    environment: { WHOLE_PRICES: 'on' },
    tells: /^Tests:/,
  },
  {
    name: 'dashboard',
    says: 'the dashboard: fifteen minutes of live figures, a slow phone, 1,000 events a second, every page by Tab on a phone',
    runs: [
      [
        ...jest,
        ...['--maxWorkers=1', '--testTimeout=1800000'],
        ...['speed', 'account'].map((name) => `packages/browser-tests/tests/${name}.test`),
      ],
    ],
    environment: { LIVE_MINUTES: `${15 * scale}` },
    tells: /^Tests:/,
  },
  {
    name: 'image',
    says: 'the steps of the Dockerfile in an empty folder as another user, and the server that they make, on a program folder without write access',
    runs: [[...jest, '--maxWorkers=1', 'packages/server/tests/program/image']],
    environment: { WHOLE_IMAGE: 'on' },
    tells: /^Tests:/,
  },
  {
    name: 'isolated',
    says: 'all tests once more, each file by itself and its tests in another order, so that none rests on what another one left',
    runs: readdirSync('packages').map((name) => [
      ...jest,
      ...['--randomize', `--seed=${seed}`],
      ...['--maxWorkers=2', '--testTimeout=600000', '--passWithNoTests', `packages/${name}/`],
    ]),
    environment: { ISOLATED: 'on' },
    tells: /^Tests:|^No tests/,
  },
  {
    name: 'later-nodes',
    says: `all tests once more, by Node ${LATER_NODES.join(', ')}`,
    runs: LATER_NODES.map((version) => [
      ...byNode(version),
      ...jest,
      ...['--maxWorkers=2', '--testTimeout=600000'],
    ]),
    tells: /^Tests:/,
  },
  {
    name: 'inventory',
    says: 'the SBOM and the licences of what the server installs (npm run inventory); fetches pnpm',
    runs: [['scripts/inventory.mjs']],
    tells: /components in/,
  },
  {
    name: 'hostile',
    says: 'what a hostile neighbour costs the others (bench --only hostile)',
    runs: [['packages/bench/dist/main.js', '--strict', '--only', 'hostile']],
    tells: /met|missed|no hostile/,
  },
  {
    name: 'bench',
    says: 'every benchmark against its gate',
    runs: [['packages/bench/dist/main.js', '--strict']],
    tells: /met|missed/,
  },
];

const say = (text) => process.stdout.write(`[verify] ${text}\n`);
const fail = (text) => {
  process.stderr.write(`[verify] ${text}\n`);
  process.exit(2);
};

function asked() {
  try {
    const { values } = parseArgs({
      options: {
        help: { type: 'boolean', default: false },
        only: { type: 'string' },
        seed: { type: 'string', default: '1' },
        scale: { type: 'string', default: '1' },
        anew: { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    return fail(error.message);
  }
}

const options = asked();
if (!/^\d{1,6}$/.test(options.seed)) fail('--seed must be a whole number of at most six digits');
if (!/^(1|0\.\d{1,4})$/.test(options.scale)) fail('--scale must be between 0 and 1');
const scale = Number(options.scale);
const commit = git('rev-parse', '--short', 'HEAD');
const changed = git('status', '--porcelain').trim() !== '';
const key = `${commit}${changed ? '-changed' : ''}-${options.seed}-${options.scale}`;
const all = parts({
  seed: Number(options.seed),
  of: (most) => `${Math.max(1, Math.round(most * scale))}`,
  key,
});

if (options.help) {
  say(
    'npm run verify -- [options]: runs what takes long, by seed, and goes on where it was ended\n',
  );
  process.stdout.write(`  --only <parts>   of these, with commas:\n`);
  for (const { name, says } of all) process.stdout.write(`      ${name.padEnd(15)} ${says}\n`);
  process.stdout.write(`  --seed <n>       up to 999999; another seed is another search (1)
  --scale <part>   a part of it only, e.g. 0.01, to see that it runs (1)
  --anew           forgets what is done

Parts that are done are kept in ${STATE} for this commit, seed and scale.\n`);
  process.exit(0);
}

const names = options.only?.split(',').map((name) => name.trim()) ?? all.map(({ name }) => name);
for (const name of names)
  if (!all.some((part) => part.name === name))
    fail(`there is no part ${name}: ${all.map((part) => part.name).join(', ')}`);

function git(...args) {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : 'unknown';
}

if (names.includes('later-nodes') && !process.env.npm_execpath)
  fail('later-nodes takes Nodes from the npm registry: start it by npm run verify');

if (options.anew || changed) rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });

/** Of an earlier run over the same commit; over changed files nothing is known. */
function earlier() {
  try {
    const kept = JSON.parse(readFileSync(STATE, 'utf8'));
    return kept.key === key && !changed ? kept : undefined;
  } catch {
    return undefined;
  }
}
const state = earlier() ?? { key, done: {} };
if (changed) say('files are changed: nothing that was done before counts');

/** Runs one command, shows what it says, answers its closing line. */
function run(args, { environment, tells }) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
    });
    const stop = (signal) => {
      child.kill(signal);
      process.exit(1);
    };
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
    let [line, closing] = ['', ''];
    const show = (data) => {
      process.stdout.write(data);
      const lines = `${line}${data}`.split('\n');
      line = lines.pop() ?? '';
      for (const each of lines) if (tells.test(each)) closing = each.trim();
    };
    child.stdout.setEncoding('utf8').on('data', show);
    child.stderr.setEncoding('utf8').on('data', show);
    child.once('close', (code) => {
      for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, stop);
      if (tells.test(line)) closing = line.trim();
      resolve({ ok: code === 0, closing });
    });
  });
}

const results = [];
for (const part of all.filter(({ name }) => names.includes(name))) {
  for (const files of part.leavesOut?.() ?? [])
    say(`${part.name} leaves out ${files}: they start no server by the shared helper`);
  const result = { name: part.name, ok: true, seconds: 0, closing: '' };
  for (const [index, args] of part.runs.entries()) {
    const id = `${part.name} ${index + 1}`;
    const known = state.done[id];
    if (known) say(`${id} of ${part.runs.length}: done before`);
    else say(`${id} of ${part.runs.length}: node ${args.join(' ')}`);
    const begun = Date.now();
    const { ok, closing } = known ? { ok: true, closing: known.closing } : await run(args, part);
    const seconds = known?.seconds ?? Math.round((Date.now() - begun) / 100) / 10;
    result.ok &&= ok;
    result.seconds += seconds;
    result.closing = closing;
    if (!ok) break;
    state.done[id] = { seconds, closing };
    if (!changed) writeFileSync(STATE, `${JSON.stringify(state, null, 2)}\n`);
  }
  results.push(result);
}

say('');
for (const { name, ok, seconds, closing } of results)
  say(`${name.padEnd(12)} ${ok ? 'ok    ' : 'FAILED'} ${closing} (${seconds.toFixed(1)} s)`);
process.exit(results.every(({ ok }) => ok) ? 0 : 1);
