import type { ComponentChildren } from 'preact';
import type { Read } from '../../service/read.js';
import { Note } from './panel.js';

/** What a read answered; before that a place of the same height, and after a failure a sentence with another attempt. */
export function Shown<Answer>(props: {
  readonly of: Read<Answer>;
  /** What is read, as a note of its failure names it. */
  readonly what: string;
  readonly height?: string;
  readonly children: (data: Answer) => ComponentChildren;
}) {
  const { data, isAnswered, error, again } = props.of;
  return (
    <>
      {error !== undefined && (
        <Note tone="bad">
          <div class="row ends">
            <span>
              <b>Could not read {props.what}.</b> {error}
            </span>
            <button type="button" onClick={again}>
              Try again
            </button>
          </div>
        </Note>
      )}
      {isAnswered
        ? props.children(data as Answer)
        : error === undefined && (
            <p class="placeholder" style={{ minHeight: props.height }} aria-busy="true">
              Reading…
            </p>
          )}
    </>
  );
}
