import type { TokenType } from '@slipstream/domain';

/** Passwords are kept as slow salted hashes only. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** False for a wrong password; takes as long as for a right one. */
  verify(hash: string, password: string): Promise<boolean>;
}

/** Access tokens: a text that is shown once, and the digest that is kept. */
export interface AccessTokens {
  issue(type: TokenType): { readonly text: string; readonly digest: string };
  /** The digest to look up, or undefined when the text cannot be a token (wrong form or checksum). */
  digest(text: string): string | undefined;
}

/** Seals secrets for storage. `context` (for example `bot_credentials|<bot_id>`) must be the same to open again. */
export interface SecretBox {
  seal(plain: string, context: string): string;
  /** Throws when the text was changed, the context differs or no key fits. */
  open(sealed: string, context: string): string;
}

/** A name for something that must not change when it is tried again, from the parts that identify it. */
export interface Fingerprints {
  /** 32 characters of a-z and 2-7. */
  of(...parts: readonly string[]): string;
}
