import { TortureFailed, require } from '../torture/checks.js';
import { loadOn } from '../torture/load.js';
import { type Figures, noFigures, sendQuotes, setScene } from '../torture/scene.js';
import { type Answers, answersFrom } from './answers.js';
import { type Checked, checkAll, checkAudit } from './checks.js';
import { openDatabase } from './database.js';
import type { Fault, Round } from './faults.js';
import { type Cluster, type Node, clusterOver } from './nodes.js';
import { until, within } from './within.js';
import { type Watcher, watch } from './watchers.js';

const NODES = 3;
const CONNECTIONS = 64;
/** The most milliseconds between two requests of a connection. */
const PAUSE = 300;
/** Trading requests that are answered before each fault. */
const BEFORE = 50;
/** For the first answers, in milliseconds. */
const PATIENCE = 30_000;
/** Any request is answered or cut within so many milliseconds. */
const LONGEST_WAIT = 20_000;

/** In milliseconds, at the nodes that the fault did not hit. */
export interface Took {
  /** The longest time without an answer to a trading request. */
  readonly silence: number;
  /** The longest wait of a request for its answer, or for the end of its connection. */
  readonly wait: number;
}

export interface TortureOptions {
  readonly folder: string;
  readonly faults: readonly Fault[];
  readonly random: () => number;
  /** Milliseconds after which no further fault begins. */
  readonly time: number;
  readonly slack: number;
  readonly preload?: string | undefined;
  readonly say: (line: string) => void;
  /** Called after each fault. */
  readonly onFault: (fault: Fault, took: Took) => void;
}

/** What it saw. */
export interface Tortured {
  readonly figures: Figures;
  readonly orders: number;
  readonly trades: number;
  readonly events: number;
  readonly streams: number;
}

/** Runs nodes over a PostgreSQL of their own, does one fault after another to them under load, and checks all after each. */
export async function tortureNodes(options: TortureOptions): Promise<Tortured> {
  const { folder, random, slack } = options;
  const database = await openDatabase();
  const cluster = clusterOver({ database, count: NODES, folder, preload: options.preload });
  await cluster.complete();
  const trading = await setScene((await cluster.owner()).url, noFigures());
  const watchers = cluster.all().map(({ slot }) => watch(trading, `the stream of node ${slot}`));
  const move = (): void => watchers.forEach((one, slot) => one.moveTo(cluster.at(slot).url));
  move();
  const checked: Checked = { cluster, trading, watchers, slack };
  const answers = answersFrom(() => performance.now());
  const round: Round = { cluster, answers, random, slack };
  const over = performance.now() + options.time;

  for (const [index, fault] of options.faults.entries()) {
    if (performance.now() > over) break;
    const name = `fault ${index + 1}, ${fault.name}`;
    const load = loadOn(trading, (connection) => urlOf(cluster.at(connection % NODES)), {
      ...{ connections: CONNECTIONS, random, name: `f${index + 1}`, pause: PAUSE },
      ...{ mayBeUnavailable: true, goesOn: true, someArePlain: true },
      onTraded: (connection) => answers.traded(cluster.at(connection % NODES)),
      onWaited: (connection, milliseconds) =>
        answers.waited(cluster.at(connection % NODES), milliseconds),
    });
    answers.hit();
    await within(
      PATIENCE * slack,
      `${name}: requests are answered before it`,
      until(() => answers.count >= BEFORE),
    );
    const forwarding = await carriedStreams(cluster, watchers);
    await named(name, fault.happen(round));
    const silence = answers.longestSilence();
    load.stop();
    await within(PATIENCE * slack, `${name}: the last requests end`, load.done);
    requireSoon(answers, silence, fault, slack, name);
    options.onFault(fault, { silence, wait: answers.longestWait });
    await cluster.complete();
    require(forwarding.lost(), name);
    move();
    await checkAll(checked, load, name);
    await sendQuotes((await cluster.owner()).url);
  }
  await checkAudit(folder, database, 'at the end');
  await endAll(cluster, watchers);
  await database.end();
  const sum = (of: 'events' | 'connections'): number =>
    watchers.reduce((count, { seen }) => count + seen[of], 0);
  return {
    figures: trading.figures,
    orders: trading.promised.orders.size,
    trades: trading.promised.trades.size,
    events: sum('events'),
    streams: sum('connections'),
  };
}

/** The streams of nodes that forward: their clients stay connected whatever becomes of the node that serves. */
async function carriedStreams(cluster: Cluster, watchers: readonly Watcher[]) {
  const owner = await cluster.owner();
  const carried = watchers
    .map((watcher, slot) => ({
      ...{ watcher, slot },
      node: cluster.at(slot),
      before: watcher.seen.lost,
    }))
    .filter(({ node }) => node !== owner);
  return {
    lost: (): string[] =>
      carried
        .filter(({ slot, node }) => cluster.at(slot) === node)
        .filter(({ watcher, before }) => watcher.seen.lost > before)
        .map(({ slot }) => `the stream of node ${slot} was lost, and that node was not hit`),
  };
}

/** Nobody asks a node whose process has ended. */
const urlOf = (node: Node): string | undefined => (node.isThere() ? node.url : undefined);

/** Says which fault it was. */
async function named(name: string, happening: Promise<void>): Promise<void> {
  await happening.catch((error: unknown) => {
    throw error instanceof TortureFailed ? new TortureFailed(`${name}: ${error.message}`) : error;
  });
}

function requireSoon(
  { longestWait }: Answers,
  silence: number,
  fault: Fault,
  slack: number,
  name: string,
): void {
  const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
  require([
    ...(silence <= fault.silence * slack
      ? []
      : [
          `nobody was answered for ${seconds(silence)}, more than ${seconds(fault.silence * slack)}`,
        ]),
    ...(longestWait <= LONGEST_WAIT * slack ? [] : [`a request waited ${seconds(longestWait)}`]),
  ], name);
}

async function endAll(cluster: Cluster, watchers: readonly { close(): void }[]): Promise<void> {
  for (const one of watchers) one.close();
  await cluster.end();
}
