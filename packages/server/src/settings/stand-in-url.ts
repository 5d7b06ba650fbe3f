import { isUrl } from './is-url.js';

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** Reads the address of a server on this machine that imitates a service of others; undefined for any other text. */
export function standInUrl(text: string, protocol: 'http:' | 'ws:' = 'http:'): URL | undefined {
  if (!isUrl(text)) return undefined;
  const url = new URL(text);
  const isPlain = url.protocol === protocol && url.pathname === '/' && url.port !== '';
  const isBare = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  return isPlain && isBare && LOOPBACK.includes(url.hostname) ? url : undefined;
}
