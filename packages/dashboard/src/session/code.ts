/** The code of a mailed link. It is in the fragment, which browsers send to nobody, and leaves the address at once. */
export function takeCode(): string | null {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code !== null) history.replaceState(null, '', location.pathname);
  return code;
}
