/** What has the focus, or had it last. */
let last: Element | undefined;
/** The panels around it, the innermost first, and the page. */
let around: readonly HTMLElement[] = [];

function noted({ target }: FocusEvent): void {
  if (!(target instanceof Element)) return;
  const places: HTMLElement[] = [];
  for (let one = target.parentElement; one !== null; one = one.parentElement)
    if (one.matches('section, main')) places.push(one);
  last = target;
  around = places;
}

function goOn(): void {
  if (!last || last.isConnected || document.activeElement !== document.body) return;
  // What is in no panel, such as the button that signed out, was in the head of the page.
  const next = around.find(({ isConnected }) => isConnected) ?? document.getElementById('main');
  if (!next) return;
  next.tabIndex = -1;
  next.focus({ preventScroll: true });
}

/**
 * From now on readers go on where they are: when what has the focus leaves the page, such as the row of an order that was cancelled,
 * its panel gets the focus.
 */
export function keepFocus(): void {
  if (last) return;
  last = document.documentElement;
  addEventListener('focusin', noted);
  new MutationObserver(goOn).observe(document.body, { childList: true, subtree: true });
}
