/** Milliseconds for which a page that is come back to may grow until its place is there. */
const GROWS = 10_000;

/** The path of the page that is shown: on the way to another one it is no longer the address. */
let shown: string;
/** Of the page that is shown, while it grows until its place is there. */
let growing: ResizeObserver | undefined;

function leave(): void {
  growing &&= void growing.disconnect();
}

/** From now on each entry of the history knows how far its page was scrolled, for `goToPlace`. */
export function keepPlaces(): void {
  history.scrollRestoration = 'manual';
  const keep = (): void => {
    // As far as a page that still grows could be scrolled is not where it was left.
    if (!growing && location.pathname === shown) history.replaceState({ top: scrollY }, '');
  };
  addEventListener('scrollend', keep);
  // Before a link leads on, also in browsers that do not tell the end of a scroll.
  addEventListener('click', keep, true);
  for (const act of ['wheel', 'keydown', 'pointerdown']) addEventListener(act, leave);
}

/** Scrolls to where the page was left, as soon as it is long enough; a new page begins at its top. A reader who acts goes elsewhere. */
export function goToPlace(): void {
  // Also from the page before, which may not have come to its place.
  leave();
  shown = location.pathname;
  const top = (history.state as { readonly top: number } | null)?.top ?? 0;
  const grown = new ResizeObserver(() => {
    scrollTo(0, top);
    if (scrollY > top - 1) leave();
  });
  growing = grown;
  setTimeout(() => growing === grown && leave(), GROWS);
  grown.observe(document.body);
}
