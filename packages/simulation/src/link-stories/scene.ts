import { moved, quiet } from './activity.js';
import type { Bug } from './bugs.js';
import type { Core, Pending } from './core.js';
import { StoryNode } from './node.js';
import { People } from './people.js';
import { ToldScene } from '../run/told-scene.js';
import { Store } from './store.js';
import { WireEnd } from './wire.js';

/** How fast connections are, beside each other. */
const PACES = [0.2, 1, 1, 3];
/** Where nothing goes wrong. */
const PROMPT = 5;

/** A connection between two nodes. */
export interface Wire {
  readonly ends: readonly [WireEnd, WireEnd];
  readonly to: string;
  readonly pace: number;
  /** Nothing passes, and nobody hears of it. */
  isSilent: boolean;
}

/** What befalls a story beside planned stops. `links`: its senders repeat more too, so that they notice what a link lost. */
export type Trouble = 'none' | 'links' | 'any';

/** All that a story has: its nodes, what is on its way between them, and what clients heard. */
export class Scene extends ToldScene {
  readonly store = new Store();
  readonly nodes: StoryNode[] = [];
  wires: Wire[] = [];
  readonly people = new People(this);
  /** How often another node took over. */
  takeovers = 0;
  /** Commits that the database has made or refused, whose answer is on its way. */
  readonly decided = new Map<Pending, boolean>();
  /** When a node began to serve last. */
  servedAt = -1;
  private readonly vanished = new Set<string>();

  constructor(
    random: () => number,
    private readonly bug: Bug,
    readonly trouble: Trouble,
  ) {
    super(random);
  }

  /** Nothing but planned stops happens. */
  get isPeaceful(): boolean {
    return this.trouble === 'none';
  }

  alive(): StoryNode[] {
    return this.nodes.filter(({ state }) => state !== 'gone');
  }

  nodeOf(id: string): StoryNode | undefined {
    return this.nodes.find((node) => node.id === id);
  }

  /** Starts one more node. */
  begin(): void {
    const node = new StoryNode(
      `n${this.nodes.length + 1}`,
      {
        store: this.store,
        now: () => this.now,
        open: (from, to) => this.open(from, to),
        isGone: (id) => this.nodeOf(id)?.state === 'gone' && !this.vanished.has(id),
        note: (line) => {
          if (line.endsWith('owns')) this.takeovers += 1;
          this.note(line);
        },
      },
      this.bug,
    );
    this.nodes.push(node);
  }

  /** Lets the time go on. */
  pass(milliseconds: number): void {
    this.now += milliseconds;
    for (const { state, timers } of this.nodes) if (state === 'runs') timers.ring();
  }

  /** Another node takes the connection, or is gone. */
  connect(wire: Wire): void {
    const other = this.nodeOf(wire.to);
    const [own, end] = wire.ends;
    if (!other || other.state === 'gone') {
      own.terminate();
      return;
    }
    own.join(end);
    other.wires.add(end);
    other.links.accept(end.socket);
  }

  /** Something arrives. */
  deliver(end: WireEnd): void {
    end.deliver();
    this.wires = this.wires.filter(({ ends }) =>
      ends.some((one) => one.readyState < 3 || one.sent.length > 0),
    );
  }

  cut(wire: Wire): void {
    for (const end of wire.ends) end.terminate(true);
  }

  /** Its machine is gone, and nobody hears so. */
  vanish(node: StoryNode): void {
    this.vanished.add(node.id);
    for (const wire of this.wiresOf(node)) wire.isSilent = true;
    node.kill(true);
  }

  wiresOf({ id }: StoryNode): Wire[] {
    return this.wires.filter(({ ends, to }) => to === id || ends[0].node === id);
  }

  /** Whether the wire can heal. */
  hasEnds({ ends, to }: Wire): boolean {
    return !this.vanished.has(to) && !this.vanished.has(ends[0].node);
  }

  /** The database makes a commit, or refuses it. */
  decide(node: StoryNode, one: Pending): void {
    const isDone = this.store.commit(node.id, one.work, this.now);
    this.note(`${node.id} ${isDone ? 'commits' : 'cannot commit'} ${one.work.id}`);
    this.decided.set(one, isDone);
  }

  /** The node hears of its commit. */
  hear(core: Core, one: Pending): void {
    moved();
    core.commit(one, this.decided.get(one) === true);
    this.decided.delete(one);
  }

  /** Whether nothing that the node sent is on its way, or was and is still to be told again. */
  isStill(node: StoryNode): boolean {
    return (
      node.serving.news.isHeard &&
      this.wiresOf(node).every(({ ends: [{ sent }] }) => sent.length === 0)
    );
  }

  /** A node begins to serve. */
  serve(node: StoryNode): void {
    this.servedAt = this.now;
    node.serve();
  }

  /** Waits until nothing moves; then looks at what must hold always. */
  async follow(): Promise<void> {
    await quiet();
    this.people.check();
  }

  /** Ends what is left. */
  async end(): Promise<void> {
    this.people.leave();
    for (const node of this.alive()) node.kill(true);
    await quiet();
  }

  private open(from: StoryNode, to: string): WireEnd {
    const own = new WireEnd(from.id);
    const ends = [own, new WireEnd(to)] as const;
    from.wires.add(own);
    own.once('close', () => from.lost());
    this.wires.push({
      ends,
      to,
      pace: this.isPeaceful ? PROMPT : (this.draw(PACES) ?? 1),
      isSilent: false,
    });
    moved();
    return own;
  }
}
