import { setTimeout as wait } from 'node:timers/promises';
import { require } from '../torture/checks.js';
import { pick } from '../torture/drawn.js';
import type { Answers } from './answers.js';
import { type Cluster, LEASE, type Node } from './nodes.js';
import { until, within } from './within.js';

const SECOND = 1_000;
/** Others answer for a node that is gone within so many milliseconds; for one that is stopped, sooner. */
const SERVED = { gone: (LEASE + 4) * SECOND, stopped: SECOND };
/** For the end of a process, and for answers after a fault is over, in milliseconds. */
const PATIENCE = 20 * SECOND;
/** For so long nobody hears of the owner, in milliseconds: a longer silence ends a link. */
const UNHEARD = 1_000;
/** Answers that show that all is served again. */
const ENOUGH = 30;

/** What a fault is done to. */
export interface Round {
  readonly cluster: Cluster;
  readonly answers: Answers;
  readonly random: () => number;
  /** All bounds of time are so many times longer. */
  readonly slack: number;
}

/** One kind of fault. It is over when all is served again; the nodes that it ended are gone. */
export interface Fault {
  readonly name: string;
  /** The longest time without an answer to a trading request at nodes that it does not hit, in milliseconds. */
  readonly silence: number;
  readonly happen: (round: Round) => Promise<void>;
}

const another = ({ cluster, random }: Round, owner: Node): Node =>
  pick(
    random,
    cluster.all().filter((node) => node !== owner),
  );

/** Resolves when requests are answered again. */
const answered = ({ answers, slack }: Round): Promise<void> => {
  const from = answers.count;
  return within(
    PATIENCE * slack,
    'requests are answered again',
    until(() => answers.count >= from + ENOUGH),
  );
};

const takenOver = ({ cluster, slack }: Round, from: Node): Promise<Node> =>
  within(PATIENCE * slack, 'another node owns the database', cluster.owner(from));

/** A node without a row can commit nothing. */
const removed = ({ cluster, slack }: Round, node: Node): Promise<void> =>
  within(
    PATIENCE * slack,
    'the others end a silent node',
    until(async () => {
      const rows = await cluster.database.rows('SELECT 1 FROM nodes WHERE id = $1', node.id);
      return rows.length === 0;
    }),
  );

/** How many commits a node has made, so far as the journal still has one of them. */
const commitsOf = async ({ cluster }: Round, { id }: Node): Promise<number> => {
  const [row] = await cluster.database.rows<{ newest: number }>(
    'SELECT coalesce(max(seq), 0) AS newest FROM journal WHERE node = $1',
    id,
  );
  return row?.newest ?? 0;
};

/** Lets a node that was ended go on: it commits nothing, and ends by itself. */
async function wakes(round: Round, node: Node, wake: () => void): Promise<void> {
  const before = await commitsOf(round, node);
  wake();
  await within(PATIENCE * round.slack, 'a node that was ended ends', node.ended);
  // Others remove the oldest rows.
  const late = Math.max(0, (await commitsOf(round, node)) - before);
  require(late === 0 ? [] : [`a node committed ${late} times after it was ended`], 'the fence');
}

type Part = 'owner' | 'another';

/** The node that the fault is about. */
async function victim(round: Round, part: Part): Promise<Node> {
  const owner = await round.cluster.owner();
  const node = part === 'owner' ? owner : another(round, owner);
  round.answers.hit(node);
  return node;
}

const kill =
  (part: Part) =>
  async (round: Round): Promise<void> => {
    const node = await victim(round, part);
    node.process.kill('SIGKILL');
    await node.ended;
    if (part === 'owner') await takenOver(round, node);
    await answered(round);
  };

/** What the owner commits last the others do not hear: whoever serves next tells it. */
async function killUnheard(round: Round): Promise<void> {
  const node = await victim(round, 'owner');
  node.link.freeze();
  await wait(UNHEARD);
  node.process.kill('SIGKILL');
  await node.ended;
  await takenOver(round, node);
  await answered(round);
}

const stop =
  (part: Part) =>
  async (round: Round): Promise<void> => {
    const node = await victim(round, part);
    node.process.kill('SIGTERM');
    const { code, complaints } = await within(PATIENCE * round.slack, 'a node ends', node.ended);
    require(code === 0 ? [] : [`the exit code is ${code}: ${complaints}`], 'SIGTERM');
    if (part === 'owner') await takenOver(round, node);
    await answered(round);
  };

/** Holds the node up until others have ended it, lets them work, and lets it go on. */
const holdUp =
  (part: Part, hold: (node: Node) => void, go: (node: Node) => void) =>
  async (round: Round): Promise<void> => {
    const node = await victim(round, part);
    hold(node);
    if (part === 'owner') await takenOver(round, node);
    await removed(round, node);
    await answered(round);
    await wait(round.random() * SECOND);
    await wakes(round, node, () => go(node));
  };

const pause = (node: Node): void => void node.process.kill('SIGSTOP');
const goOn = (node: Node): void => void node.process.kill('SIGCONT');
const cutOff = ({ database }: Node): void => database.freeze();
const comeBack = ({ database }: Node): void => database.thaw();

/** The owner loses its connections, and gets new ones at the moment when another one owns the database. */
async function loseConnections(round: Round): Promise<void> {
  const node = await victim(round, 'owner');
  node.database.freeze();
  node.database.reset();
  await takenOver(round, node);
  await wakes(round, node, () => node.database.thaw());
  await answered(round);
}

/** Connections to the database break and can be opened again at once. */
const resetDatabase =
  (part: Part) =>
  async (round: Round): Promise<void> => {
    const node = await victim(round, part);
    // It serves on, so its answers count.
    round.answers.hit();
    node.database.reset();
    await answered(round);
  };

/** Other nodes do not reach the owner for a while. Each of their requests is answered or cut nevertheless. */
async function freezeLinks(round: Round): Promise<void> {
  const owner = await round.cluster.owner();
  const others = round.cluster.all().filter((node) => node !== owner);
  round.answers.hit(...others);
  owner.link.freeze();
  await Promise.all(
    others.map(({ url }) =>
      within(
        PATIENCE * round.slack,
        'a node that cannot reach the owner answers, or cuts the connection',
        fetch(`${url}/getServiceInfo`)
          .then((answer) => answer.text())
          .catch(() => undefined),
      ),
    ),
  );
  owner.link.thaw();
  round.answers.hit(owner);
  await answered(round);
}

async function resetLinks(round: Round): Promise<void> {
  const owner = await round.cluster.owner();
  round.answers.hit(owner);
  owner.link.reset();
  await answered(round);
}

/** Nobody can be answered before the database runs again. */
async function killDatabase(round: Round): Promise<void> {
  const { cluster, answers, random } = round;
  await cluster.database.kill();
  await wait(random() * SECOND);
  await cluster.database.start();
  answers.hit();
  await answered(round);
}

/** Every kind of fault. */
export const FAULTS: readonly Fault[] = [
  { name: 'kill -9 of the owner', silence: SERVED.gone, happen: kill('owner') },
  { name: 'kill -9 of the owner, unheard', silence: SERVED.gone, happen: killUnheard },
  { name: 'kill -9 of another', silence: SERVED.gone, happen: kill('another') },
  { name: 'SIGTERM to the owner', silence: SERVED.stopped, happen: stop('owner') },
  { name: 'SIGTERM to another', silence: SERVED.stopped, happen: stop('another') },
  {
    name: 'SIGSTOP of the owner',
    silence: SERVED.gone,
    happen: holdUp('owner', pause, goOn),
  },
  {
    name: 'SIGSTOP of another',
    silence: SERVED.gone,
    happen: holdUp('another', pause, goOn),
  },
  {
    name: 'owner cut off from PostgreSQL',
    silence: SERVED.gone,
    happen: holdUp('owner', cutOff, comeBack),
  },
  {
    name: 'another cut off from PostgreSQL',
    silence: SERVED.gone,
    happen: holdUp('another', cutOff, comeBack),
  },
  { name: 'owner reset, and back too late', silence: SERVED.gone, happen: loseConnections },
  {
    name: 'connections of the owner reset',
    silence: SERVED.gone,
    happen: resetDatabase('owner'),
  },
  {
    name: 'connections of another reset',
    silence: SERVED.gone,
    happen: resetDatabase('another'),
  },
  { name: 'links to the owner frozen', silence: SERVED.gone, happen: freezeLinks },
  { name: 'links to the owner reset', silence: SERVED.gone, happen: resetLinks },
  { name: 'kill -9 of PostgreSQL', silence: SERVED.gone, happen: killDatabase },
];
