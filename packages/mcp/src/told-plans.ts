/** The most plans that are remembered: a user has 100 open ones at most, and a commit may be repeated later. */
const MOST = 1000;

/** Why a plan is not committed. */
interface Refused {
  readonly code: 'not_found' | 'plan_mismatch';
  readonly message: string;
}

/** The plans that were prepared here, with the words in which the person who approves a commit reads what it does. */
export class ToldPlans {
  private readonly words = new Map<string, string>();

  remember(planId: string, does: string): void {
    this.words.set(planId, does);
    const [oldest] = this.words.keys();
    if (this.words.size > MOST && oldest !== undefined) this.words.delete(oldest);
  }

  /** Undefined if the words are those of the plan. */
  refusalOf({ plan_id: planId, does }: Readonly<Record<string, unknown>>): Refused | undefined {
    const words = this.words.get(String(planId));
    if (words === undefined)
      return {
        code: 'not_found',
        message: 'no such plan was prepared here: prepare it by a prepare_ tool',
      };
    if (does === words) return undefined;
    return {
      code: 'plan_mismatch',
      message:
        'nothing was done: "does" must be the text under "does" in the answer of the prepare_ tool, unchanged, because your user approves it',
    };
  }
}
