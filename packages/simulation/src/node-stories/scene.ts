import type { Client } from '@slipstream/adapter-sql/testing';
import type { Bug } from './bugs.js';
import { STRATEGIES, type StoryDatabase } from './database.js';
import { LEASE, type Outcome, Process, type Work, settle } from './process.js';
import { ToldScene } from '../run/told-scene.js';
import { Sessions } from './sessions.js';
import { Wire } from './wire.js';

/** How fast connections are, beside each other. */
const PACES = [0.1, 1, 1, 3];
/** By how much the clock of the database is set, in milliseconds. */
const CLOCK_MOVES = [-3_600_000, -20_000, -1_000, 1_000, 20_000, 3_600_000];

/** A work, who took it, and what its client heard. */
export interface Entry {
  readonly work: Work;
  readonly process: Process;
  outcome: Outcome | undefined;
}

type Told = Outcome | 'not taken' | 'unknown';

/** A question of one process to another one that has no answer yet. */
export interface Asked {
  readonly from: Process;
  readonly to: string;
  readonly work: Work;
  state: 'sent' | 'taken' | 'answered';
  /** What is on its way back. */
  answer: Told;
  readonly tell: (answer: Told) => void;
}

/** All that a story has: its processes, what is on its way between them and the database, and what clients heard. */
export class Scene extends ToldScene {
  readonly processes: Process[] = [];
  asked: readonly Asked[] = [];
  readonly entries: Entry[] = [];
  /** Of the processes whose row is gone, the number of the last commit before. */
  readonly ended = new Map<string, number>();
  /** Works of which the database may have lost what it had committed. */
  readonly forgotten = new Set<Work>();
  /** Of each strategy, the works that clients know to be done. */
  private done = new Map<string, number>();
  private hasReplica = false;
  /** When the database lost commits last. */
  private failedOverAt = -Infinity;
  private readonly sessions: Sessions;

  constructor(
    readonly database: StoryDatabase,
    random: () => number,
    private readonly bug: Bug,
    /** What may befall the database beside the rest. */
    readonly befalls: {
      /** A replica takes its place, without the newest commits. */
      readonly losesCommits: boolean;
      /** Its clock is set. */
      readonly movesClock: boolean;
    },
  ) {
    super(random);
    this.sessions = new Sessions(database);
  }

  /** Those that are not gone. */
  alive(): Process[] {
    return this.processes.filter(({ state }) => state !== 'gone');
  }

  /** Starts one more process. */
  begin(): void {
    const process = new Process(
      `p${this.processes.length + 1}`,
      {
        now: () => this.now,
        connect: (asking, name, limits) =>
          new Promise<Client>((connected) => asking.connecting.push({ name, limits, connected })),
        ask: (from, to, work) =>
          new Promise((tell) => {
            const asked: Asked = { from, to, work, state: 'sent', answer: 'unknown', tell };
            this.asked = [...this.asked, asked];
          }),
        note: (line) => this.note(line),
      },
      this.bug,
    );
    this.processes.push(process);
    process.start();
  }

  async pass(milliseconds: number): Promise<void> {
    this.now += milliseconds;
    await this.database.advance(milliseconds);
    for (const process of this.processes) process.ring();
  }

  /** Sets the clock of the database, by more than any lease: those of the processes go on. */
  async setClock(): Promise<void> {
    const by = this.draw(CLOCK_MOVES) ?? 0;
    this.note(`the clock of the database moves by ${by} ms`);
    await this.database.advance(by);
  }

  async connect(process: Process): Promise<void> {
    const asking = process.connecting.shift();
    if (!asking) return;
    const { session, pid } = await this.database.connect(asking.name);
    const wire = new Wire(session, pid, () => this.now, asking.limits, this.draw(PACES) ?? 1);
    process.wires.push(wire);
    asking.connected(wire);
  }

  /** Lets the next statement of the process arrive at the database. */
  arrive(process: Process, wire: Wire): void {
    if (wire.next === 'goodbye') this.sessions.leaving.add(wire.pid);
    const isEnding = wire.next?.includes('pg_terminate_backend') === true;
    const [name] = wire.parameters;
    wire.arrive((sessions) => {
      if (!isEnding || sessions === 0) return;
      for (const other of this.processes)
        if (name === `slipstream ${other.name}` && other !== process)
          for (const { pid, isGone, isCutOff } of other.wires)
            if (!isGone && !isCutOff) this.sessions.doomed.add(pid);
    });
  }

  /** One of the connections of a process is lost. */
  lose({ wires }: Process, how: (wire: Wire) => void): void {
    const wire = this.draw(
      wires.filter(({ isUsable, isGone, isCutOff }) => isUsable && !isGone && !isCutOff),
    );
    if (!wire) return;
    how(wire);
    if (wire.isCutOff) this.sessions.leaving.add(wire.pid);
  }

  /** The database ends the session. */
  async endSession({ pid }: Wire): Promise<void> {
    await this.database.stop(pid, 'session');
    this.sessions.doomed.add(pid);
  }

  /** The database gives up what the session waits for. */
  async cancel(wire: Wire): Promise<void> {
    const { atServer } = wire;
    if (!atServer) return;
    this.sessions.cancelled.add(atServer);
    await this.database.stop(wire.pid, 'statement');
  }

  /** The database ends every session, as when it starts anew. */
  async endSessions(): Promise<void> {
    for (const wire of this.wires()) if (!wire.isCutOff) await this.endSession(wire);
  }

  /** A replica gets what is committed now. */
  async replicate(): Promise<void> {
    await this.database.replicate();
    this.hasReplica = true;
  }

  /** The replica takes the place of the database, without the commits since. */
  async failOver(): Promise<void> {
    if (!this.hasReplica) return;
    await this.endSessions();
    await this.sessions.quiet(() => this.wires());
    await this.database.failOver();
    this.failedOverAt = this.now;
    const { works } = await this.database.kept();
    this.done = new Map();
    for (const { work, outcome } of this.entries)
      if (!works.has(work.id)) this.forgotten.add(work);
      else if (outcome === 'done') this.know(work);
    this.ended.clear();
  }

  /** It is cut off, and the database has lost its sessions: it does not hear so. */
  async vanish(process: Process): Promise<void> {
    process.silence(true);
    for (const wire of process.wires)
      if (!wire.isGone && !wire.isCutOff) await this.endSession(wire);
  }

  /** A client asks the process for a work, or it has one of its own to do. */
  request(process: Process, isAsked: boolean): void {
    const strategy = this.draw(STRATEGIES) ?? STRATEGIES[0];
    const work: Work = { id: `w${this.entries.length + 1}`, strategy, isAsked };
    const entry: Entry = { work, process, outcome: undefined };
    this.entries.push(entry);
    this.note(`${process.name} gets ${work.id} of ${strategy}`);
    void (isAsked ? process.take(work) : process.perform(work)).then((outcome) => {
      // One that is gone tells nobody.
      if (process.state === 'gone') return;
      entry.outcome = outcome;
      this.note(`${process.name} answers ${work.id}: ${outcome}`);
      this.reach(outcome);
      if (outcome === 'done' && !this.forgotten.has(work)) this.know(work);
    });
  }

  /** Its client knows that the work is done. */
  private know({ strategy }: Work): void {
    this.done.set(strategy, (this.done.get(strategy) ?? 0) + 1);
  }

  /** A client asks how often a strategy was changed: never less than what it knows to be done. */
  read(process: Process): void {
    const strategy = this.draw(STRATEGIES) ?? STRATEGIES[0];
    const { failedOverAt } = this;
    const least = this.done.get(strategy) ?? 0;
    void process.count(strategy).then((found) => {
      if (found === undefined || process.state === 'gone' || failedOverAt !== this.failedOverAt)
        return;
      this.reach('read and told');
      if (found < least)
        this.violate(
          `stale read: ${process.name} tells ${found} changes of ${strategy}, ${least} were answered before`,
        );
    });
  }

  /** Answers a question between processes, unless it was answered. */
  answer(asked: Asked, answer: Told): void {
    if (!this.asked.includes(asked)) return;
    this.asked = this.asked.filter((one) => one !== asked);
    asked.tell(answer);
  }

  /** Waits until every session has answered, waits for another one, or is gone; then looks at what must hold always. */
  async follow(): Promise<void> {
    const ending = this.wires().filter(({ atServer }) =>
      atServer?.sql.includes('DELETE FROM nodes'),
    );
    await this.sessions.quiet(() => this.wires());
    for (const wire of this.wires()) wire.notice();
    for (const asked of this.asked) {
      const owner = asked.from.state === 'runs' ? asked.from.node?.owner() : undefined;
      // As the server cuts its link to a process that is not the owner any more.
      if (owner && owner.id !== asked.to) this.answer(asked, 'unknown');
    }
    await settle();
    if (ending.some(({ atServer }) => atServer === undefined)) await this.lookForEnded();
    const serving = this.alive().filter(({ serves }) => serves);
    // One whose row is lost learns it with its next sign of life.
    if (serving.length > 1 && this.now - this.failedOverAt > LEASE)
      this.violate(`two owners: ${serving.map(({ name }) => name).join(' and ')} both serve`);
  }

  /** Ends what is left. */
  end(): void {
    for (const process of this.processes) {
      process.kill(true);
      for (const wire of process.wires) wire.reset();
    }
  }

  private wires(): Wire[] {
    return this.processes.flatMap(({ wires }) =>
      wires.filter((wire) => !wire.isGone || wire.isLeaving),
    );
  }

  /** Notes how far the processes had come whose row is gone now. */
  private async lookForEnded(): Promise<void> {
    const nodes = await this.database.nodes();
    const { commits } = await this.database.kept();
    for (const { name, node } of this.processes)
      if (node && !nodes.has(name) && !this.ended.has(name))
        this.ended.set(name, commits.get(name)?.at(-1) ?? 0);
  }
}
