import { z } from 'zod';
import { operations } from '../operations/index.js';
import { fileType } from '../fields/csv.js';
import type { Operation } from '../operations/operation.js';
import { takesArray } from '../requests/query.js';

/** Words that Python keeps for itself. */
const KEYWORDS: readonly string[] = ['from', 'class', 'def', 'import', 'global', 'is', 'in', 'not'];
const nameOf = (field: string): string => (KEYWORDS.includes(field) ? `${field}_` : field);

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly ObjectSchema[];
}

/** The fields of a request; of alternatives those of all, of which none is always required. */
function fieldsOf({
  request,
  auth,
}: Operation): { readonly name: string; readonly isRequired: boolean }[] {
  const schema = z.toJSONSchema(request, { io: 'input', unrepresentable: 'any' }) as ObjectSchema;
  const { properties = {}, required = [], anyOf = [] } = schema;
  const others = anyOf.flatMap((one) => Object.keys(one.properties ?? {}));
  const names = new Set([
    ...Object.keys(properties),
    ...others,
    ...(auth === 'body' ? ['api_token'] : []),
  ]);
  const all = [...names].map((name) => ({ name, isRequired: required.includes(name) }));
  return [...all.filter((field) => field.isRequired), ...all.filter((field) => !field.isRequired)];
}

const sentence = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"""', "'''");

function method(row: Operation): string {
  const fields = fieldsOf(row);
  const given = fields.map(
    ({ name, isRequired }) => `${nameOf(name)}${isRequired ? '' : '=UNSET'}`,
  );
  const key = row.takesIdempotencyKey ? ['idempotency_key=None'] : [];
  const parameters = [...given, ...key];
  const sent = fields.map(({ name }) => `"${name}": ${nameOf(name)}`);
  const arrays = fields.filter(({ name }) => takesArray(row, name)).map(({ name }) => `"${name}"`);
  const options = [
    ...(arrays.length > 0 ? [`arrays=[${arrays.join(', ')}]`] : []),
    ...(row.takesIdempotencyKey ? ['key=idempotency_key'] : []),
    ...(row.auth === 'body' ? ['token_in_body=True'] : []),
    ...(fileType(row, {}) === undefined ? [] : ['is_file=True']),
  ];
  const call = [`"${row.method}"`, `"${row.path}"`, `{${sent.join(', ')}}`, ...options];
  return `    def ${row.name}(${['self', ...(parameters.length > 0 ? ['*'] : []), ...parameters].join(', ')}):
        """${sentence(row.summary)}"""
        return self._call(${call.join(', ')})
`;
}

const HEAD = `"""Slipstream from Python, with the standard library alone.

Made from the table of operations by node scripts/clients.mjs: do not edit.
Every operation is a method under its own name; a field that Python cannot have as a name ends with _ (from_).
Decimals are text: pass str or decimal.Decimal, never float.
"""

import decimal
import json
import urllib.error
import urllib.parse
import urllib.request

UNSET = object()


class RequestFailed(Exception):
    """The service refused the request: code is for programs, the text for people."""

    def __init__(self, status, code, message, request_id):
        super().__init__(message)
        self.status = status
        self.code = code
        self.request_id = request_id


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Another address would get the token, and a request without its body."""

    def redirect_request(self, *_):
        return None


_opener = urllib.request.build_opener(_NoRedirect)


def _text(value):
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    raise TypeError(f"{type(value).__name__} cannot be sent")


def _query(fields, arrays):
    pairs = []
    for name, value in fields.items():
        for item in value if name in arrays else [value]:
            key = f"{name}[]" if name in arrays else name
            text = _text(item) if isinstance(item, decimal.Decimal) else item
            pairs.append((key, str(text).lower() if isinstance(text, bool) else text))
    return urllib.parse.urlencode(pairs)


class Slipstream:
    """A client of the server at url. The token is an api token; without one only public operations work."""

    def __init__(self, url, token=None, timeout=30):
        self._url = url.rstrip("/")
        self._token = token and token.strip()
        self._timeout = timeout

    def _call(self, method, path, fields, arrays=(), key=None, token_in_body=False, is_file=False):
        given = {name: value for name, value in fields.items() if value is not UNSET}
        headers = {}
        if token_in_body:
            given.setdefault("api_token", self._token)
        elif self._token is not None:
            # The error of a header that cannot be would show the token.
            if not (self._token.isascii() and self._token.isprintable()):
                raise RequestFailed(401, "unauthenticated", "Authentication failed.", None)
            headers["Authorization"] = f"Bearer {self._token}"
        if key is not None:
            headers["Idempotency-Key"] = key
        url, data = self._url + path, None
        if method == "GET":
            query = _query(given, arrays)
            url += f"?{query}" if query else ""
        else:
            headers["Content-Type"] = "application/json"
            data = json.dumps(given, default=_text).encode()
        request = urllib.request.Request(url, data, headers, method=method)
        try:
            with _opener.open(request, timeout=self._timeout) as answer:
                text = answer.read().decode()
        except urllib.error.HTTPError as error:
            raise self._failure(error) from None
        if is_file or given.get("format") == "csv":
            return text
        return json.loads(text)["response"]

    @staticmethod
    def _failure(error):
        text = error.read().decode(errors="replace")
        try:
            message = json.loads(text)["response"]
        except (ValueError, KeyError, TypeError):
            message = f"the answer is not of this service: {text[:100]}"
        code = error.headers.get("X-Error-Code", "unexpected_answer")
        return RequestFailed(error.code, code, message, error.headers.get("X-Request-Id"))
`;

/** A module of Python with a method for every operation. */
export const pythonModule = (): string =>
  [HEAD, ...Object.values(operations as Readonly<Record<string, Operation>>).map(method)].join(
    '\n',
  );
