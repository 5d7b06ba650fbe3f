import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Meaning } from '../../figures/meanings.js';

/** A meaning as text. All of them are loaded with the first one that a reader asks for. */
function MeaningOf({ name }: { readonly name: Meaning }) {
  const [text, setText] = useState('');
  useEffect(() => {
    void import('../../figures/meanings.js').then(
      ({ MEANINGS }) => setText(MEANINGS[name]),
      () => setText('The definition did not load. Reload the page.'),
    );
  }, [name]);
  return <>{text}</>;
}

/** Names of which one shows its meaning: by a press, so that keyboards and fingers reach it too. */
export function useMeanings(): {
  readonly named: (of: Meaning | null, name: ComponentChildren, key?: unknown) => ComponentChildren;
  /** The meaning that is shown. */
  readonly shown: VNode | undefined;
} {
  const [open, setOpen] = useState<{ readonly of: Meaning; readonly key: unknown } | null>(null);
  return {
    named: (of, name, key) => {
      if (of === null) return name;
      const isOpen = open?.of === of && open.key === key;
      return (
        <button
          type="button"
          class="what"
          aria-expanded={isOpen}
          onClick={() => setOpen(isOpen ? null : { of, key })}
        >
          {name}
        </button>
      );
    },
    shown: open ? <MeaningOf name={open.of} /> : undefined,
  };
}

/** The meaning that is shown, below what has the names. */
export function ShownMeaning({ shown }: { readonly shown: VNode | undefined }) {
  if (!shown) return null;
  return (
    <p class="small quiet" role="status">
      {shown}
    </p>
  );
}
