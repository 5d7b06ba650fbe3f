import type { ToldStory } from './story-program.js';

/** What can happen next in a story. */
export interface Step {
  /** How likely it is, beside the others. */
  readonly weight: number;
  /** Its kind, and of what. */
  readonly says: string;
  readonly happen: () => void | Promise<void>;
}

/** A scene of a story: it draws what happens, and tells it. */
export abstract class ToldScene implements ToldStory {
  violation: string | undefined;
  readonly trace: string[] = [];
  readonly reached = new Map<string, number>();
  /** In milliseconds. */
  now = 0;

  constructor(readonly random: () => number) {}

  /** Lets all that follows at once happen, and looks at what must hold always. */
  abstract follow(): Promise<void>;

  note(line: string): void {
    this.trace.push(`${this.now} ${line}`);
  }

  reach(kind: string): void {
    this.reached.set(kind, (this.reached.get(kind) ?? 0) + 1);
  }

  /** Only the first broken rule counts. */
  violate(rule: string): void {
    this.violation ??= rule;
    this.note(`BROKEN ${rule}`);
  }

  draw<One>(all: readonly One[]): One | undefined {
    return all[Math.floor(this.random() * all.length)];
  }

  /** Lets one of these happen, and all that follows. */
  async happen(steps: readonly Step[]): Promise<void> {
    let left = this.random() * steps.reduce((sum, { weight }) => sum + weight, 0);
    const step = steps.find(({ weight }) => (left -= weight) < 0) ?? steps.at(-1);
    if (!step) return;
    this.note(step.says);
    this.reach(step.says.split(':')[0] ?? '');
    await step.happen();
    await this.follow();
  }
}
