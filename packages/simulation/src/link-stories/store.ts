/** Milliseconds without a sign of life after which a node counts as ended; the first if it has no connections any more. */
export const [MISSED, LEASE] = [1_500, 2_500];

/** A change that a client asked for. */
export interface Work {
  readonly id: string;
  readonly requestId: string;
  readonly key?: string | undefined;
}

/** A change that was made, when, and by which node. */
export interface Done extends Work {
  readonly node: string;
  readonly at: number;
}

/**
 * The database as nodes see it. That its statements do what is said here, whatever happens to a node meanwhile, is what the
 * stories of nodes play.
 */
export class Store {
  /** The nodes that have not ended, and when each showed its last sign of life. */
  readonly heard = new Map<string, number>();
  owner: string | undefined;
  readonly done: Done[] = [];

  claim(node: string): boolean {
    if (this.owner !== undefined || !this.heard.has(node)) return false;
    this.owner = node;
    return true;
  }

  end(node: string): void {
    this.heard.delete(node);
    if (this.owner === node) this.owner = undefined;
  }

  /** A commit of the node: nothing unless it owns the database. */
  commit(node: string, work: Work, at: number): boolean {
    if (this.owner !== node) return false;
    this.done.push({ ...work, at, node });
    return true;
  }

  /** Whether the node did it; undefined while it may still do it, unless nothing of the request is under way there. */
  wasDone(node: string, requestId: string, isSettled: boolean): boolean | undefined {
    if (this.heard.has(node) && !isSettled) return undefined;
    return this.done.some((work) => work.requestId === requestId);
  }
}
