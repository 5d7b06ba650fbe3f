import { Refusal } from '@slipstream/domain';

/** Deeper nesting is refused before it is parsed (contract 1, "Validation"). */
const MAX_DEPTH = 16;
const FORBIDDEN_KEYS = ['__proto__', 'constructor', 'prototype'];

/** A JSON value, and the refusal of a field that one of its objects has twice: only its sender knows which one counts. */
export interface ReadJson {
  readonly value: unknown;
  readonly repeated: Refusal | undefined;
}

/** The JSON value of `text`. Refuses invalid JSON, deep nesting, keys that reach for prototypes, and a field that stands twice. */
export function parseJson(text: string): unknown {
  const { value, repeated } = readJson(text);
  if (repeated) throw repeated;
  return value;
}

/** The same for a caller that has to do something before it refuses a field that stands twice. */
export function readJson(text: string): ReadJson {
  const written = countWritten(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal('invalid_json', 'the body must be valid JSON');
  }
  if (mayHaveForbiddenKeys(text)) refuseForbiddenKeys(value);
  return { value, repeated: written === countFields(value) ? undefined : repetition(text, value) };
}

/** How many fields the text has if it is JSON: each has one colon outside of texts. */
function countWritten(text: string): number {
  let [depth, colons] = [0, 0];
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index);
    if (char === 0x22) index = endOfString(text, index);
    else if (char === 0x7b || char === 0x5b) {
      if (++depth > MAX_DEPTH)
        throw new Refusal(
          'invalid_json',
          `the body must not be nested deeper than ${MAX_DEPTH} levels`,
        );
    } else if (char === 0x7d || char === 0x5d) depth--;
    else if (char === 0x3a) colons++;
  }
  return colons;
}

/** How many fields are left of them, since `JSON.parse` keeps the last of equal ones. */
function countFields(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner: readonly unknown[] = Object.values(value);
  let count = Array.isArray(value) ? 0 : inner.length;
  for (const one of inner) count += countFields(one);
  return count;
}

const TEXTS = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?/g;
/** A longer name may be a token. */
const LONGEST_TOLD = 30;

/** The refusal that names the field: it is written more often than it is left. */
function repetition(text: string, value: unknown): Refusal {
  const counts = new Map<string, number>();
  const count = (name: string, by: number) => counts.set(name, (counts.get(name) ?? 0) + by);
  for (const [, written = '', colon] of text.matchAll(TEXTS))
    if (colon !== undefined) count(JSON.parse(`"${written}"`) as string, 1);
  const takeOff = (left: unknown): void => {
    if (typeof left !== 'object' || left === null) return;
    if (!Array.isArray(left)) for (const name of Object.keys(left)) count(name, -1);
    Object.values(left).forEach(takeOff);
  };
  takeOff(value);
  const [name = ''] = [...counts].find(([, times]) => times > 0) ?? [];
  const field = name.length > LONGEST_TOLD ? 'a field' : `the field ${JSON.stringify(name)}`;
  return new Refusal('invalid_json', `the body must not have ${field} twice`);
}

/** The index of the quote that closes the string beginning at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const char = text.charCodeAt(index);
    if (char === 0x5c) index++;
    else if (char === 0x22) return index;
  }
  return text.length;
}

/** Saves nearly every body the walk; a key can also be written with escapes. */
const mayHaveForbiddenKeys = (text: string): boolean =>
  text.includes('\\u') || FORBIDDEN_KEYS.some((key) => text.includes(key));

function refuseForbiddenKeys(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(value) && FORBIDDEN_KEYS.includes(key)) {
      throw new Refusal('invalid_json', `the body must not have a field ${JSON.stringify(key)}`);
    }
    refuseForbiddenKeys(inner);
  }
}
