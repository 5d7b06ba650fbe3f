import { createHash } from 'node:crypto';
import {
  type Client,
  type PostgresNode,
  type SqlUnitOfWork,
  type TimeAndTimers,
  joinIn,
} from '@slipstream/adapter-sql/testing';
import { id, nextAuditEntry } from '@slipstream/domain';
import { aPost } from '@slipstream/port-contracts/builders';
import type { Bug } from './bugs.js';
import type { Limits, Wire } from './wire.js';

/** Milliseconds without a sign of life after which a process counts as ended. */
export const LEASE = 2_500;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A change of one strategy; one that a client asked for is in the audit log. */
export interface Work {
  readonly id: string;
  readonly strategy: string;
  readonly isAsked: boolean;
}

/** What its client hears: it is done, nothing was done, or nothing. */
export type Outcome = 'done' | 'refused' | 'cut';

/** What a process has around it. */
export interface Host {
  now(): number;
  /** Resolves when the story lets it connect. */
  connect(process: Process, name: string, limits: Limits): Promise<Client>;
  /** Asks another process. */
  ask(from: Process, node: string, work: Work): Promise<Outcome | 'not taken' | 'unknown'>;
  note(line: string): void;
}

interface Timer {
  at: number;
  readonly run: () => void;
  readonly period: number | undefined;
}

/** One of the processes over the database: it joins the others by the product's code, and takes works as a server does. */
export class Process {
  readonly wires: Wire[] = [];
  /** Connections that it waits for. */
  readonly connecting: {
    readonly name: string;
    readonly limits: Limits;
    connected(wire: Client): void;
  }[] = [];
  state: 'runs' | 'frozen' | 'gone' = 'runs';
  node: PostgresNode | undefined;
  /** It was told to end. */
  mustEnd = false;
  private storage: SqlUnitOfWork | undefined;
  private timers: Timer[] = [];

  constructor(
    readonly name: string,
    private readonly host: Host,
    private readonly bug: Bug,
  ) {}

  /** Joins; whoever connects must be let. */
  start(): void {
    const time: TimeAndTimers = {
      now: () => this.host.now(),
      wait: (milliseconds) =>
        new Promise((run) =>
          this.timers.push({ at: this.host.now() + milliseconds, run, period: undefined }),
        ),
      every: (period, run) => {
        const timer = { at: this.host.now() + period, run, period };
        this.timers.push(timer);
        return () => (this.timers = this.timers.filter((one) => one !== timer));
      },
    };
    const end = (why: string) => (): void => {
      this.host.note(`${this.name} is told: ${why}`);
      this.mustEnd = true;
    };
    joinIn(
      {
        connect: async (name, limits) => {
          const client = await this.host.connect(this, name, limits);
          return this.bug.client?.(client) ?? client;
        },
        ...{ time, node: this.name, database: 'of stories' },
      },
      {
        ...{ nodeUrl: `http://${this.name}:1`, lease: LEASE },
        ...{ onEnded: end('ended'), onDrained: end('drained') },
      },
    ).then(
      (node) => {
        this.node = node;
        void node.storage().then(
          (storage) => {
            this.host.note(`${this.name} owns`);
            this.storage = storage;
          },
          () => (this.mustEnd = true),
        );
      },
      () => (this.mustEnd = true),
    );
  }

  /** Whether it answers by itself: it owns the database for certain. */
  get serves(): boolean {
    if (!this.node || !this.storage || this.mustEnd) return false;
    switch (this.bug.serves) {
      case 'while no other one is known':
        return this.node.owner()?.id === this.name;
      case 'for its lease':
        return this.node.isLeased();
      default:
        return this.node.isOwner();
    }
  }

  /** As a node of the server does: it does the work itself, or lets the one that owns the database do it. */
  async take(work: Work): Promise<Outcome> {
    const { node } = this;
    if (!node) return 'refused';
    if (this.serves) return this.perform(work);
    const owner = node.owner();
    if (!owner || owner.id === this.name) return 'refused';
    const answer = await this.host.ask(this, owner.id, work);
    if (answer === 'not taken') return 'refused';
    if (answer !== 'unknown') return answer;
    const wasDone = await node.wasDone(owner.id, work.id, () => false);
    this.host.note(`${this.name} hears of ${work.id}: ${wasDone ?? 'nothing'}`);
    if (wasDone === undefined) return 'cut';
    return wasDone ? 'done' : 'refused';
  }

  /** Does the work, if it serves. */
  async perform(work: Work): Promise<Outcome> {
    const { storage } = this;
    if (!storage) return 'refused';
    const done = storage.run(async ({ strategies, audit, posts }) => {
      const strategy = await strategies.find(id(work.strategy));
      if (!strategy) throw new Error('the strategy is not there');
      const count = Number(strategy.description) + 1;
      await strategies.save({ ...strategy, description: String(count) });
      if (!work.isAsked) {
        await posts.save(aPost({ id: id(work.id), strategyId: strategy.id }));
        return;
      }
      const event = { at: count, actor: 'client', tokenId: null, ip: null, action: 'newOrder' };
      await audit.save(
        nextAuditEntry(
          await audit.last(),
          { ...event, objects: [], outcome: 'ok', code: null, requestId: work.id },
          sha256,
        ),
      );
    });
    return done.then(
      () => 'done' as const,
      (error: unknown) => {
        this.host.note(`${this.name} refuses ${work.id}: ${(error as Error).name}`);
        return 'refused' as const;
      },
    );
  }

  /** How often the strategy was changed, as the process tells now; undefined when it does not tell. */
  async count(strategy: string): Promise<number | undefined> {
    const reader = this.serves ? this.storage : this.node;
    try {
      const found = await reader?.read(({ strategies }) => strategies.find(id(strategy)));
      return found && Number(found.description);
    } catch {
      return undefined;
    }
  }

  /** Gives the database back, as a planned stop does. */
  async stop(): Promise<void> {
    this.mustEnd = true;
    await (this.storage?.close() ?? this.node?.end());
  }

  /** Its timers that are due. */
  ring(): void {
    if (this.state !== 'runs') return;
    const now = this.host.now();
    for (const timer of this.timers.filter(({ at }) => at <= now)) {
      if (timer.period === undefined) this.timers = this.timers.filter((one) => one !== timer);
      else timer.at = now + timer.period;
      timer.run();
    }
  }

  /** Nothing passes between it and the database, and nobody hears of it; or all again. */
  silence(isSilent: boolean): void {
    for (const wire of this.wires) wire.isSilent = isSilent;
  }

  /** Ends at once. `isReset`: what it sent last does not arrive. */
  kill(isReset: boolean): void {
    this.state = 'gone';
    this.timers = [];
    this.connecting.length = 0;
    for (const wire of this.wires) wire.abandon(isReset);
  }
}

/** Lets all that can go on in this process do so. */
export const settle = async (turns = 3): Promise<void> => {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((then) => setImmediate(then));
};
