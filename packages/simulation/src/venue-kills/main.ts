#!/usr/bin/env node
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { killPrograms } from '@slipstream/server/testing';
import { Command, Option } from 'commander';
import { TortureFailed } from '../torture/checks.js';
import { type Server, serve } from '../torture/program.js';
import { seeded } from '../torture/promised.js';
import { VENUE_BUGS } from './bugs.js';
import { checkAlways, checkSettled, heldIn, sentOrders } from './checks.js';
import { type Scene, newVenue, ownerOf, sendQuotes, startBots, trouble } from './scene.js';
import { wholeNumber } from '../run/whole-number.js';

/** The most milliseconds before a kill, and after how many kills everything must settle. */
const [LONGEST_LIFE, SETTLES_EVERY] = [6_000, 25];

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const options = new Command('venue-kills')
  .description(
    'Kills the built server again and again while its bot trades at a venue in trouble, which lives on, and checks that no order is doubled, lost or beyond a limit and that what the owner of the account holds is untouched.',
  )
  .option('--kills <n>', 'how often it is killed', '100')
  .addOption(
    new Option('--bug <name>', 'a deliberate bug, which must be found').choices(
      Object.keys(VENUE_BUGS),
    ),
  )
  .option('--seed <n>', 'of the trouble and the kills; processes race, so runs differ', '1')
  .parse()
  .opts<{ kills: string; seed: string; bug?: string }>();

const folder = mkdtempSync(join(tmpdir(), 'slipstream-venue-kills-'));
process.once('exit', killPrograms);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
try {
  await killAll(wholeNumber(options.kills, 'kills'), seeded(wholeNumber(options.seed, 'seed')));
  rmSync(folder, { recursive: true, force: true });
} catch (error) {
  const message = error instanceof TortureFailed ? error.message : String((error as Error).stack);
  say(`FAILED ${message}\nThe database is in ${folder}.`);
  process.exitCode = 1;
} finally {
  killPrograms();
}

function ordersOf({ accounts }: Scene): number {
  return accounts.reduce((count, owned) => count + sentOrders(owned).length, 0);
}

async function killAll(kills: number, random: () => number): Promise<void> {
  const begun = performance.now();
  const venue = await newVenue(folder, random, VENUE_BUGS[options.bug ?? ''] ?? ((venue) => venue));
  try {
    let server = await serve(venue.place);
    const scene = await startBots(venue, server);
    for (let kill = 1; kill <= kills; kill += 1) {
      server = await killed(scene, server);
      await checkAlways(scene, server, `after kill ${kill}`);
      if (kill % SETTLES_EVERY === 0 || kill === kills) {
        await checkSettled(scene, server, `settled after kill ${kill}`);
        say(`${kill} of ${kills} kills, ${ordersOf(scene)} orders, all well`);
      }
    }
    await closed(scene, server);
    const seconds = Math.round((performance.now() - begun) / 1000);
    const { length } = scene.standIn.log;
    say(
      `${kills} kills in ${seconds} s: ${ordersOf(scene)} orders at the venue, ${length} requests, none doubled, lost or beyond a limit; what was kept is untouched`,
    );
    server.process.kill('SIGTERM');
    await server.ended;
  } finally {
    await venue.close();
  }
}

/** Lets the bot trade through trouble for a while, then kills its server; returns the next one. */
async function killed(scene: Scene, server: Server): Promise<Server> {
  const troubled = trouble(scene, server);
  await wait(Math.floor(scene.random() * LONGEST_LIFE));
  server.process.kill('SIGKILL');
  await Promise.all([server.ended, troubled]);
  return serve(scene.place);
}

/** Stops the bots with closing: what is left is the owner's. */
async function closed(scene: Scene, server: Server): Promise<void> {
  const client = ownerOf(scene, server);
  for (const { bot_id } of await client.getBots())
    await client.stopBot({ bot_id, close_on_stop: true });
  const until = performance.now() + 60_000;
  for (;;) {
    const open = (await client.getBots()).filter(({ status }) => status !== 'off');
    if (open.length === 0) break;
    if (performance.now() > until) throw new TortureFailed(`a bot is ${open[0]?.status}, not off`);
    await sendQuotes(server);
    await wait(100);
  }
  for (const owned of scene.accounts)
    for (const [symbol, kept] of owned.byHand) {
      const held = heldIn(scene, owned, symbol);
      if (!held.eq(kept))
        throw new TortureFailed(`${symbol}: ${held.toFixed()} are left, not ${kept.toFixed()}`);
    }
}
