import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Action } from '../../service/action.js';
import { Note } from './panel.js';

/** A field of a form with its label and a hint below. */
export function Field(props: {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly type?: 'email' | 'password' | 'search' | 'text' | 'date' | 'datetime-local';
  readonly inputMode?: 'decimal' | 'numeric' | 'text';
  readonly autocomplete?: string;
  readonly list?: string;
  readonly required?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly placeholder?: string;
  /** What the text must look like, with `title` in words: the browser refuses to send another. */
  readonly pattern?: string;
  readonly title?: string;
  /** Whether it is an amount of money, which readers can hide. */
  readonly isAmount?: boolean;
}) {
  const { label, hint, value, onValue, isAmount, type = 'text', ...rest } = props;
  // The types of Preact tell each kind of input from the others; these take the same fields.
  const kind = type as 'text';
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...rest}
        id={id}
        type={kind}
        value={value}
        class={isAmount ? 'amount' : undefined}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
      {hint && (
        <span id={`${id}-hint`} class="small quiet">
          {hint}
        </span>
      )}
    </div>
  );
}

/** A field of several lines. */
export function TextField(props: {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly rows: number;
  readonly maxLength: number;
  readonly required?: boolean;
}) {
  const { label, onValue, ...rest } = props;
  return (
    <label class="field">
      <span>{label}</span>
      <textarea {...rest} onInput={(event) => onValue(event.currentTarget.value)} />
    </label>
  );
}

/** A choice between few words. */
export function Choice<Word extends string>(props: {
  readonly label: string;
  readonly value: Word;
  readonly options: readonly (readonly [value: Word, label: string])[];
  readonly onValue: (value: Word) => void;
  readonly hint?: ComponentChildren;
}) {
  return (
    <label class="field">
      <span>{props.label}</span>
      <select
        value={props.value}
        onChange={(event) => props.onValue(event.currentTarget.value as Word)}
      >
        {props.options.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      {props.hint && <span class="small quiet">{props.hint}</span>}
    </label>
  );
}

/** Something that is on or off. */
export function Check(props: {
  readonly label: ComponentChildren;
  readonly checked: boolean;
  readonly onValue: (checked: boolean) => void;
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={props.checked}
        onChange={(event) => props.onValue(event.currentTarget.checked)}
      />
      <span>{props.label}</span>
    </label>
  );
}

/** A form that does `onSubmit` instead of leaving the page. */
export function Form(props: {
  readonly onSubmit: () => void;
  readonly label?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <form
      class="stack"
      aria-label={props.label}
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit();
      }}
    >
      {props.children}
    </form>
  );
}

/** The failure of an action, in words. */
export function Failure(props: { readonly of: Pick<Action<never, unknown>, 'error'> }) {
  return props.of.error === undefined ? null : <Note tone="bad">{props.of.error}</Note>;
}

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
  const wasOpen = useRef(false);
  const place = useRef<HTMLDivElement>(null);
  // The pressed button leaves: the focus goes on to what replaces it.
  useLayoutEffect(() => {
    if (isOpen === wasOpen.current) return;
    wasOpen.current = isOpen;
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
          tabIndex={-1}
          onKeyDown={({ key }) => {
            if (key === 'Escape') setOpen(false);
          }}
        >
          <div>{props.consequence}</div>
          <div class="row">
            <button
              type="button"
              class={kind}
              disabled={props.isBusy}
              onClick={() =>
                void Promise.resolve(props.onConfirm()).then(() => {
                  if (props.isOpen === undefined) setOwnOpen(false);
                })
              }
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
