/** A text of one character, over and over. */
export const long = (length: number, char = 'x'): string => char.repeat(length);
const MANY = Array.from({ length: 101 }, (_, index) => `x${index}`);

/** Values that hardly any field takes. */
// oxfmt-ignore
export const ODD: readonly unknown[] = [
  null, true, false, 0, -1, 1, -0, 0.1 + 0.2, 1e21, 1e308, 5e-324, 2 ** 53, -(2 ** 63), 100.5,
  '', ' ', 'x', long(51), long(101), long(256), long(2001), long(5001), long(20_000), long(20_000, '9'),
  '\u0000', 'a\u0000b', '\ud800', '\udc00x', '\ufeff', '\u202egnp', '\u2028', 'e\u0301', '👩‍👩‍👧‍👦', 'İ', 'ß', '١٢', '１', '\r\nX-A: b', long(300, '\u0301'),
  '1e999', '1e2', '-0', '+1', '01', '1.', '.1', 'NaN', 'Infinity', '-Infinity', '0x10', '1_000', '1,5', ' 1', '1\n',
  '0.000000000000000001', '0.0000000000000000001', '999999999999999999', '1000000000000000000', '999999999999999999.999999999999999999', '-999999999999999999',
  '0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2026-02-30T00:00:00Z', '2026-03-04', '+275760-09-13T00:00:00Z', '2016-12-31T23:59:60Z',
  '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'undefined', '../../etc/passwd', "' OR 1=1 --", '${7*7}', '<script>', '%00', 'AAPL:NASDAQ', 'aapl:nasdaq', ':', 'AAPL:', ':NASDAQ',
  'javascript:alert(1)', 'https://user:pw@x.com/', 'https://x.com:99999/', 'https://x.com/\ud800',
  [], {}, [[]], [null], [{}], ['x', 'x'], MANY, MANY.slice(1), { length: 1e9 }, { toString: 1 }, { then: 1 }, { $ref: '#' }, { a: { b: {} } },
];

/** Arrays in arrays. */
export const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
/** Texts in the place of a value, as no JSON.stringify writes them. */
// oxfmt-ignore
export const RAW: readonly string[] = [
  '1e999', '-1e999', '1e-999', '1E+2', '-0', '0.10', '1.0', '123456789012345678901234567890', '0.1234567890123456789', long(100_000, '9').slice(0, 60_000), '9007199254740993',
  'NaN', 'Infinity', 'undefined', '01', '+1', '.5', '0x1', "'x'", '', '{"__proto__":{"a":1}}', '{"\\u005f_proto__":1}', '{"constructor":1}', '"\\ud800"', '"\\u0000"', '"\\x"', '"\n"',
  nested(14), nested(16), nested(17), nested(5000), '{"a":'.repeat(40) + '1' + '}'.repeat(40), '[1,]', '1 1', '/**/1', '"unended',
];

/** Queries that are badly encoded, or name things twice, or what they may not. */
// oxfmt-ignore
export const QUERIES: readonly string[] = [
  '%', '%ff=1', 'a=%ff', 'a=%ed%a0%80', '=', '&&&', 'a', '__proto__=1', '__proto__[]=1', 'constructor=1', 'toString[]=1', 'strategy_id[0]=x', 'strategy_id[][]=x', 'strategy_id[]', 'limit=', 'limit=1e1',
  'limit=1&limit=2', 'cursor=%00', 'a;b', `limit=${long(5000, '1')}`, `x=${long(20_000)}`, `strategy_id[]=${MANY.join('&strategy_id[]=')}`, '#', '?', '{"a":1}',
];
