import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** A figure with its name; a press on the name shows what it is. */
export function Figure(props: {
  readonly label: string;
  readonly what?: string;
  readonly tone?: string;
  readonly children: ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <dt>
        {props.what === undefined ? (
          props.label
        ) : (
          <button
            type="button"
            class="what"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {props.label}
          </button>
        )}
      </dt>
      <dd class={props.tone}>{props.children}</dd>
      {isOpen && <dd class="small quiet">{props.what}</dd>}
    </div>
  );
}

/** Figures side by side. */
export function Figures(props: { readonly children: ComponentChildren }) {
  return <dl class="figures">{props.children}</dl>;
}
