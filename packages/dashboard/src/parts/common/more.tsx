/**
 * Below a list that goes on: a button for more of it, while the page shows more; then the sentence that it goes on. A list that
 * ends without a word looks whole.
 */
export function More(props: {
  /** Whether there may be more than is shown. */
  readonly is: boolean;
  /** Shows more; absent when the page shows no more. */
  readonly onMore?: (() => void) | false;
  /** How many are shown, and where the others are. */
  readonly said: string;
}) {
  if (!props.is) return null;
  return props.onMore ? (
    <button type="button" onClick={props.onMore}>
      Show more
    </button>
  ) : (
    <p class="small quiet">{props.said}</p>
  );
}
