import { useRef, useState } from 'preact/hooks';
import { session } from '../../session/session.js';

const STATES = { shown: 'Copy the id', selected: 'Selected: copy it', copied: 'Copied' } as const;

/** The reader's user id, ready to be given to somebody. */
export function OwnId() {
  const id = session.value?.userId;
  const place = useRef<HTMLElement>(null);
  const [state, setState] = useState<keyof typeof STATES>('shown');
  if (id === undefined) return null;
  const copy = (): void => {
    if (place.current) getSelection()?.selectAllChildren(place.current);
    setState('selected');
    // Browsers offer it over https and on the reader's own machine alone.
    navigator.clipboard?.writeText(id).then(
      () => setState('copied'),
      () => undefined,
    );
  };
  return (
    <p class="row tight">
      <span>
        Your user id: <code ref={place}>{id}</code>
      </span>
      <button type="button" class="plain small" onClick={copy}>
        {STATES[state]}
      </button>
    </p>
  );
}
