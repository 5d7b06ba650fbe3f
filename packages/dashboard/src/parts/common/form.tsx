import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
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
  /** What phones do to words as they are typed. */
  readonly autocapitalize?: 'none' | 'characters';
  /** Named as no property is: newer browsers take every text of `autocorrect` for true. */
  readonly autoCorrect?: 'off';
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
