import type { Timestamp, TokenType } from '@slipstream/domain';

/** Nothing was done because too much of the kind is being done: try again in a moment. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

/** Passwords are kept as slow salted hashes only. Either may throw `Overloaded`. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** False for a wrong password; takes as long as for a right one. */
  verify(hash: string, password: string): Promise<boolean>;
  /** Whether it is among those that are guessed first, in any case of letters. */
  isCommon(password: string): boolean;
}

/** Codes of authenticator apps, which change every 30 seconds (RFC 6238). */
export interface OneTimePasswords {
  /** A new secret, and the address that brings it into an app under that label. */
  newSecret(label: string): { readonly secret: string; readonly uri: string };
  /** Which 30 seconds since 1970 the code is of: the present ones, those before or after; undefined when it is wrong. */
  stepOf(secret: string, code: string, now: Timestamp): number | undefined;
  /** A code to write down, for when the app is lost. */
  newRecoveryCode(): string;
}

/** Access tokens: a text that is shown once, and the digest that is kept. */
export interface AccessTokens {
  /** A `code` is for a mail; it opens nothing by itself. */
  issue(type: TokenType | 'code'): { readonly text: string; readonly digest: string };
  /** The digest to look up, or undefined when the text cannot be a token (wrong form or checksum). */
  digest(text: string): string | undefined;
}

/** Seals secrets for storage. `context` (for example `bot_credentials|<bot_id>`) must be the same to open again. */
export interface SecretBox {
  seal(plain: string, context: string): string;
  /** @throws {SecretUnreadable} when the text was changed, the context differs or no key fits. */
  open(sealed: string, context: string): string;
  /** Tells the same text from another one later, without the text: keyed, so that guesses cannot be tried. */
  mac(plain: string, context: string): string;
  /** Whether the mac is that of the text in the context. */
  verify(mac: string, plain: string, context: string): boolean;
}

/** A sealed text cannot be opened: it was sealed by another master key, for something else, or changed. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable';
}

/** A name for something that must not change when it is tried again, from the parts that identify it. */
export interface Fingerprints {
  /** 32 characters of a-z and 2-7. */
  of(...parts: readonly string[]): string;
  /** Hex SHA-256 of the text in UTF-8. */
  sha256(text: string): string;
}
