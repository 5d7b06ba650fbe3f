import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * What a form shows: the present values, and what the reader typed over them. What they did not touch follows the present
 * values, so that another tab's change is neither hidden nor taken back.
 */
export function useEdits<Values extends object>(
  present: Values,
): {
  readonly shown: Values;
  set(part: Partial<Values>): void;
  /** Keeps what was typed, after it was saved, until the present values have it. */
  keep(): void;
} {
  const [edits, setEdits] = useState<Partial<Values>>({});
  const now = JSON.stringify(present);
  const savedOver = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (savedOver.current === undefined || savedOver.current === now) return;
    savedOver.current = undefined;
    setEdits({});
  }, [now]);
  return {
    shown: { ...present, ...edits },
    set: (part) => {
      savedOver.current = undefined;
      setEdits((before) => ({ ...before, ...part }));
    },
    keep: () => {
      savedOver.current = now;
    },
  };
}
