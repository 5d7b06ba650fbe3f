import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Note } from './panel.js';

const Unloaded = () => <Note tone="bad">Not all of this page did load. Reload it.</Note>;

/** A script, or the sentence that it did not come: there is no connection, or another version of the service has others. */
export const loaded = <Props,>(
  load: () => Promise<ComponentType<Props>>,
): Promise<ComponentType<Props>> => load().catch(() => Unloaded);

/** A part whose script is loaded when it is shown first, so that pages without it stay small. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => preact.JSX.Element {
  let Part: ComponentType<Props> | undefined;
  return function Later(props) {
    const [, setLoaded] = useState(false);
    useEffect(() => {
      if (Part) return;
      void loaded(load).then((part) => {
        Part = part;
        setLoaded(true);
      });
    }, []);
    return Part ? (
      <Part {...props} />
    ) : (
      <p class="placeholder" aria-busy="true">
        Reading…
      </p>
    );
  };
}
