export { type AuthorityOptions, rfc3161Authority } from './authority.js';
export { checkStamp, readCertificates } from './check-stamp.js';
