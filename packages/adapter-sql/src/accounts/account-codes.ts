import type { CodePurpose, UserId } from '@slipstream/domain';
import type { AccountCodeStore } from '@slipstream/ports';
import { build, prepared, upsert, rowBy } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { accountCodeColumns } from './columns.js';

const codeByDigest = rowBy('account_codes', 'digest');
const codeOfUser = prepared<{ userId: UserId; purpose: CodePurpose }>()((param) =>
  build
    .selectFrom('account_codes')
    .selectAll()
    .where('user_id', '=', param('userId'))
    .where('purpose', '=', param('purpose')),
);
const saveCode = upsert('account_codes', accountCodeColumns, 'user_id', 'purpose');
const removeCode = prepared<{ userId: UserId; purpose: CodePurpose }>()((param) =>
  build
    .deleteFrom('account_codes')
    .where('user_id', '=', param('userId'))
    .where('purpose', '=', param('purpose')),
);

export const sqlAccountCodes = (session: Session): AccountCodeStore => ({
  find: (digest) => session.find(codeByDigest(digest), accountCodeColumns.load),
  findOf: (userId, purpose) =>
    session.find(codeOfUser({ userId, purpose }), accountCodeColumns.load),
  save: async (code) => void session.write(saveCode(code)),
  remove: async (userId, purpose) => void session.write(removeCode({ userId, purpose })),
});
