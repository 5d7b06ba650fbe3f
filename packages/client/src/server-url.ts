/** Whether requests can be sent to a server at this address: of http or https, without a user, a query or a fragment, which would be lost or refused. */
export function isServerUrl(url: unknown): url is string {
  if (typeof url !== 'string' || /[\s?#@]/.test(url)) return false;
  try {
    return /^https?:$/.test(new URL(url).protocol);
  } catch {
    return false;
  }
}
