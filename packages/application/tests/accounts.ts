import type { Mail } from '@slipstream/ports';
import type { UserId } from '@slipstream/domain';
import type { Caller } from '../src/index.js';

/** The id of a caller that is a user. */
export function userOf(caller: Caller): UserId {
  if (caller.kind !== 'user') throw new Error('no user');
  return caller.userId;
}

/** The code in a mail: of the link, or on a line of its own. */
export function codeIn(mail: Mail | undefined): string {
  const code = /(?:code=|^)(test_code_\d+)/m.exec(mail?.text ?? '')?.[1];
  if (code === undefined) throw new Error('no code in the mail');
  return code;
}

export const PASSWORD = 'a long password';
