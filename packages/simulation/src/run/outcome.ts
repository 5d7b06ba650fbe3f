import type { Command } from '../story/story.js';

/** The outcome of a command. */
export interface Outcome {
  readonly command: Command;
  kind: 'answered' | 'refused' | 'nothing' | 'failed' | 'crashed';
  error: Error | undefined;
}
