import { Refusal } from '@slipstream/domain';

/** Deeper nesting is refused before it is parsed (contract 1, "Validation"). */
const MAX_DEPTH = 16;
const FORBIDDEN_KEYS = ['__proto__', 'constructor', 'prototype'];

/** The JSON value of `text`. Refuses invalid JSON, deep nesting, and keys that reach for prototypes. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) {
    throw new Refusal(
      'invalid_json',
      `the body must not be nested deeper than ${MAX_DEPTH} levels`,
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal('invalid_json', 'the body must be valid JSON');
  }
  if (mayHaveForbiddenKeys(text)) refuseForbiddenKeys(value);
  return value;
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index);
    if (char === 0x22) index = endOfString(text, index);
    else if (char === 0x7b || char === 0x5b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (char === 0x7d || char === 0x5d) depth--;
  }
  return false;
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
