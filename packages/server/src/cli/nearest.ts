import { distance } from 'fastest-levenshtein';

const MOST_LETTERS = 2;

/** The name most like the word, whatever its case; undefined if each has more than two other letters. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const [first] = names
    .map((name) => ({ name, by: distance(word.toLowerCase(), name.toLowerCase()) }))
    .sort((one, other) => one.by - other.by);
  return first && first.by <= MOST_LETTERS ? first.name : undefined;
}
