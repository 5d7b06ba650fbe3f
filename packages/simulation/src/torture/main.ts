#!/usr/bin/env node
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { TortureFailed } from './checks.js';
import { beginAnew, fillDisk } from './disk.js';
import { type Round, backUp, lock, takeOver, terminate } from './endings.js';
import { killLoop } from './kills.js';
import { killPrograms } from '@slipstream/server/testing';
import { type Server, placeIn, serve } from './program.js';
import { seeded } from './promised.js';
import { noFigures, setScene } from './scene.js';
import { wholeNumber } from '../run/whole-number.js';

const ENDINGS: readonly (readonly [
  string,
  number,
  (round: Round, server: Server) => Promise<Server>,
])[] = [
  ['SIGTERM under load', 3, terminate],
  ['a second process', 2, takeOver],
  ['backup while writing', 3, backUp],
  ['a locked database', 1, lock],
];

/** The endings that need no database file. */
const OF_ANY_STORAGE = ENDINGS.filter(([, , end]) => end === terminate);

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const options = new Command('torture')
  .description(
    'Runs the built server as a process of its own under load, ends it in every rude way, and checks after each that everything it answered is there, once, and adds up.',
  )
  .option('--kills <n>', 'how often it is killed', '200')
  .option(
    '--seed <n>',
    'of what is sent and when the kills come; processes race, so runs differ',
    '1',
  )
  .option('--minutes <n>', 'after which no further kill begins', '20')
  .option('--with <file>', 'the server uses the adapters of this module, e.g. ./mine.js')
  .parse()
  .opts<{ kills: string; seed: string; minutes: string; with?: string }>();
const adapters = options.with === undefined ? undefined : resolve(options.with);

const folder = mkdtempSync(join(tmpdir(), 'slipstream-torture-'));
const figures = noFigures();
process.once('exit', killPrograms);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
try {
  await torture();
  rmSync(folder, { recursive: true, force: true });
} catch (error) {
  const message = error instanceof TortureFailed ? error.message : String((error as Error).stack);
  say(`FAILED ${message}\nThe databases are in ${folder}.`);
  process.exitCode = 1;
} finally {
  killPrograms();
}

async function torture(): Promise<void> {
  const random = seeded(wholeNumber(options.seed, 'seed'));
  const begun = performance.now();
  const home = join(folder, 'kills');
  mkdirSync(home);
  const place = placeIn(home, undefined, adapters);
  let server = await serve(place);
  const scene = { place, ...(await setScene(server.url, figures)) };
  const kills = wholeNumber(options.kills, 'kills');
  const within = wholeNumber(options.minutes, 'minutes') * 60_000;
  server = await killLoop(scene, server, { kills, within, random, say });
  const killsIn = Math.round((performance.now() - begun) / 1000);
  say(`${figures.kills} of ${kills} kills in ${killsIn} s, all well`);
  for (const [what, times, end] of adapters === undefined ? ENDINGS : OF_ANY_STORAGE) {
    for (let time = 1; time <= times; time += 1) {
      const name = `${what.replaceAll(' ', '-').toLowerCase()}-${time}`;
      server = await end({ scene, random, name }, server);
    }
    say(`${what}: ${times} times, all well`);
  }
  server.process.kill('SIGTERM');
  await server.ended;
  await beginAnew(join(folder, 'anew'), adapters, figures, { random, name: 'first start' });
  say('killed at its first start: 5 times, all well');
  if (adapters === undefined) {
    const filled = await fillDisk(join(folder, 'full'), figures, { random, name: 'full-disk' });
    say(filled ? 'a full disk: twice, all well' : 'a full disk: skipped, it needs Linux and root');
  } else say('what is done to the database file itself (backup, lock, full disk): left out');
  const seconds = Math.round((performance.now() - begun) / 1000);
  const { killsWhileStarting, answered, refused, unavailable, unanswered } = figures;
  say(`
${String(figures.kills).padStart(8)} kills survived, ${killsWhileStarting} of them while it started
${String(figures.requests).padStart(8)} requests: ${answered} answered, ${refused} refused, ${unavailable} told to come again, ${unanswered} never answered
${String(figures.askedAgain).padStart(8)} asked again with the same key
${String(scene.promised.orders.size).padStart(8)} orders promised, ${scene.promised.trades.size} trades seen
${String(figures.checks).padStart(8)} checks of the whole database
${String(Math.round(figures.slowestStart)).padStart(8)} ms the slowest start, ${seconds} s in all`);
}
