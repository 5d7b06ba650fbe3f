/** Whether requests can be sent to a server at this address: of http or https, without a user, a query or a fragment, which would be lost or refused. */
export const isServerUrl = (url: unknown): url is string =>
  typeof url === 'string' && /^https?:\/\/[^\s/?#@][^\s?#@]*$/i.test(url);
