import type { Command } from '../story/story.js';

/** What became of a command. */
export interface Outcome {
  readonly command: Command;
  kind: 'answered' | 'refused' | 'nothing' | 'failed' | 'crashed';
  error: string | undefined;
}
