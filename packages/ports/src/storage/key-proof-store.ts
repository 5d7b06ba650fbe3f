/** Keeps one sealed text. At start, opening it proves that the master key is the one that sealed the stored secrets. */
export interface KeyProofStore {
  /** The text that was saved last; undefined while there is none. */
  find(): Promise<string | undefined>;
  save(sealed: string): Promise<void>;
}
