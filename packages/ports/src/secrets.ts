import type { Timestamp, TokenType } from '@slipstream/domain';

/** Thrown before anything was done, because too many such calls are running. The caller may try again soon. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

/** Passwords are stored only as slow salted hashes. `hash` and `verify` may throw `Overloaded`. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** False for a wrong password; takes as long as for a right one. */
  verify(hash: string, password: string): Promise<boolean>;
  /** Whether the password is among those that attackers try first. Upper and lower case count as the same. */
  isCommon(password: string): boolean;
}

/** Codes of authenticator apps, which change every 30 seconds (RFC 6238). */
export interface OneTimePasswords {
  /** A new secret, and the URI that adds it to an app under that label. */
  newSecret(label: string): { readonly secret: string; readonly uri: string };
  /** The number of the code's 30-second step since 1970: the current step, or the one before or after it. Undefined when the code is wrong. */
  stepOf(secret: string, code: string, now: Timestamp): number | undefined;
  /** A code that the user writes down and uses if the app is lost. */
  newRecoveryCode(): string;
}

/** Access tokens: the text is shown once, and only its digest is stored. */
export interface AccessTokens {
  /** A `code` is sent by mail and gives no access by itself. */
  issue(type: TokenType | 'code'): { readonly text: string; readonly digest: string };
  /** The digest to look up, or undefined when the text cannot be a token (wrong form or checksum). */
  digest(text: string): string | undefined;
}

/** Seals secrets for storage. `context` (for example `bot_credentials|<bot_id>`) must be the same when the secret is opened. */
export interface SecretBox {
  seal(plain: string, context: string): string;
  /** @throws {SecretUnreadable} when the text was changed, the context differs or no key fits. */
  open(sealed: string, context: string): string;
  /** A keyed digest: it recognizes the same text later, and without the key nobody can test guesses against it. */
  mac(plain: string, context: string): string;
  /** Whether `mac` belongs to this text in this context. */
  verify(mac: string, plain: string, context: string): boolean;
}

/** A sealed text cannot be opened: it was changed, or sealed with another master key or for another context. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable';
}

/** Derives a name from the parts that identify a thing, so that a retry gets the same name. */
export interface Fingerprints {
  /** 32 characters of a-z and 2-7. */
  of(...parts: readonly string[]): string;
  /** Hex SHA-256 of bytes, or of a text in UTF-8. */
  sha256(data: string | Uint8Array): string;
}
