import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** A section of a page with its heading. */
export function Panel(props: {
  readonly title: ComponentChildren;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class="panel" aria-labelledby={id}>
      <div class="row ends">
        <h2 id={id}>{props.title}</h2>
        {props.aside}
      </div>
      {props.children}
    </section>
  );
}

/** A table that scrolls sideways by itself, so that the page does not. */
export function Scroll(props: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <div class="scroll" role="group" aria-label={props.label} tabIndex={0}>
      {props.children}
    </div>
  );
}

/** A sentence that stands out. */
export function Note(props: {
  readonly tone?: 'bad' | 'good' | 'caution';
  readonly children: ComponentChildren;
}) {
  return (
    <div class={`note ${props.tone ?? ''}`} role={props.tone === 'bad' ? 'alert' : 'status'}>
      {props.children}
    </div>
  );
}
