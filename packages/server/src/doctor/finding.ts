/** What one check found. */
export interface Finding {
  /** What was looked at, in a word or two. */
  readonly about: string;
  /** `doubtful` works, and is probably not what an operator wants; `bad` does not work. */
  readonly state: 'good' | 'doubtful' | 'bad';
  /** What was seen, in a sentence. It never repeats a secret. */
  readonly says: string;
  /** What to do about it; absent where all is well. */
  readonly mend?: string;
}

/** What to do about a wrong clock. */
export const TO_SET_THE_CLOCK = 'Let the machine set its clock: timedatectl set-ntp true';

/** Makes the findings of one check. */
export const findingsAbout = (about: string) => ({
  good: (says: string): Finding => ({ about, state: 'good', says }),
  doubtful: (says: string, mend: string): Finding => ({ about, state: 'doubtful', says, mend }),
  bad: (says: string, mend: string): Finding => ({ about, state: 'bad', says, mend }),
});

/** An error in a few words: its code where it has one, never an address with a password. */
export function inShort(error: unknown): string {
  const { cause, code, name } = error as NodeJS.ErrnoException & { readonly cause?: unknown };
  if (typeof cause === 'object' && cause !== null) return inShort(cause);
  return code ?? name;
}
