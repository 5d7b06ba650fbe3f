/** Keeps one sealed text, by which a start knows that it has the master key of the secrets beside it. */
export interface KeyProofStore {
  /** The last one saved; undefined while there is none. */
  find(): Promise<string | undefined>;
  save(sealed: string): Promise<void>;
}
