import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

/**
 * A button that first says what will happen, and does it at the second press. It keeps for itself whether it is open, unless
 * `isOpen` is given, as by a form that opens it.
 */
export function Confirmed(props: {
  readonly label: string;
  readonly confirm: string;
  readonly consequence: ComponentChildren;
  readonly isOpen?: boolean;
  readonly onOpen?: (isOpen: boolean) => void;
  readonly isBusy: boolean;
  readonly onConfirm: () => void | Promise<void>;
  readonly isDanger?: boolean;
  /** Whether the form opens it once its fields are filled in right. */
  readonly isSubmit?: boolean;
}) {
  const [isOwnOpen, setOwnOpen] = useState(false);
  const isOpen = props.isOpen ?? isOwnOpen;
  const setOpen = props.onOpen ?? setOwnOpen;
  const id = useId();
  const wasOpen = useRef(false);
  const place = useRef<HTMLDivElement>(null);
  // The pressed button leaves: the focus goes on to what replaces it. Whoever types in a field stays there.
  useLayoutEffect(() => {
    if (isOpen === wasOpen.current) return;
    wasOpen.current = isOpen;
    if (!isOpen && document.activeElement !== document.body) return;
    const next = isOpen ? '[role=group]' : 'button';
    place.current?.querySelector<HTMLElement>(next)?.focus();
  }, [isOpen]);
  const kind = props.isDanger ? 'danger' : isOpen ? 'primary' : '';
  return (
    <div ref={place} class="confirmed">
      {isOpen ? (
        <div
          class="note caution stack tight"
          role="group"
          aria-label={props.label}
          aria-describedby={id}
          tabIndex={-1}
          onKeyDown={({ key }) => {
            if (key === 'Escape') setOpen(false);
          }}
        >
          <div id={id}>{props.consequence}</div>
          <div class="row">
            <button
              type="button"
              class={kind}
              aria-disabled={props.isBusy}
              onClick={() => {
                if (props.isBusy) return;
                void Promise.resolve(props.onConfirm()).then(() => {
                  if (props.isOpen === undefined) setOwnOpen(false);
                });
              }}
            >
              {props.confirm}
            </button>
            <button type="button" onClick={() => setOpen(false)}>
              Not now
            </button>
          </div>
        </div>
      ) : (
        <button
          type={props.isSubmit ? 'submit' : 'button'}
          class={kind}
          onClick={() => props.isSubmit || setOpen(true)}
        >
          {props.label}
        </button>
      )}
    </div>
  );
}
