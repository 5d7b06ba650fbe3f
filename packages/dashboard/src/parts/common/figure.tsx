import type { ComponentChildren } from 'preact';
import type { Meaning } from '../../figures/meanings.js';
import { useMeanings } from './meanings.js';

/** A figure with its name; a press on the name shows what it means. */
export function Figure(props: {
  readonly label: string;
  readonly what: Meaning;
  /** What is to be said of this figure besides. */
  readonly more?: string;
  readonly tone?: string;
  readonly children: ComponentChildren;
}) {
  const { named, shown } = useMeanings();
  return (
    <div>
      <dt>{named(props.what, props.label)}</dt>
      <dd class={props.tone}>{props.children}</dd>
      {shown && (
        <dd class="small quiet">
          {shown} {props.more}
        </dd>
      )}
    </div>
  );
}

/** Figures side by side. */
export function Figures(props: { readonly children: ComponentChildren }) {
  return <dl class="figures">{props.children}</dl>;
}
