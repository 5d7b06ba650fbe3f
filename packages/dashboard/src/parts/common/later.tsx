import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Note } from './panel.js';

/** A part whose script is loaded when it is shown first, so that pages without it stay small. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => preact.JSX.Element {
  let Part: ComponentType<Props> | undefined;
  return function Later(props) {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading');
    useEffect(() => {
      if (Part) return;
      load().then(
        (loaded) => {
          Part = loaded;
          setState('loaded');
        },
        () => setState('failed'),
      );
    }, []);
    if (Part) return <Part {...props} />;
    return state === 'failed' ? (
      <Note tone="bad">
        A part of this page did not load. Check your connection, then reload the page.
      </Note>
    ) : (
      <p class="placeholder" aria-busy="true">
        Reading…
      </p>
    );
  };
}
