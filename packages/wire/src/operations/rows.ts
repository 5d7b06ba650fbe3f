import { authentication } from '../accounts/authentication.js';
import { tokens } from '../accounts/tokens.js';
import { passwords } from '../accounts/passwords.js';
import { users } from '../accounts/users.js';
import { claims } from '../strategies/claims.js';
import { strategies } from '../strategies/strategies.js';
import { recommendations } from '../performance/recommendations.js';
import { calculations } from '../strategies/calculations.js';
import { stockActions } from '../market/stock-actions.js';
import { alertTemplate } from '../alerts/alert-template.js';
import { subscriptions } from '../strategies/subscriptions.js';
import { statistics } from '../performance/statistics.js';
import { anchors } from '../performance/anchors.js';
import { trackRecord } from '../performance/track-record.js';
import { trades } from '../trading/trades.js';
import { webhooks } from '../alerts/webhooks.js';
import { endpoints } from '../endpoints/endpoints.js';
import { bots } from '../mirroring/bots.js';
import { botStatistics } from '../mirroring/bot-statistics.js';
import { connections } from '../mirroring/connections.js';
import { halts } from '../mirroring/halts.js';
import { timelines } from '../social/timelines.js';
import { overview } from '../market/overview.js';
import { userList } from '../accounts/user-list.js';
import { serviceInfo } from '../market/service-info.js';
import { stocks } from '../market/stocks.js';
import { payments } from '../billing/payments.js';
import { withdrawals } from '../billing/withdrawals.js';

/**
 * Every operation but newToken, which needs their scopes. The type is a list of its parts, because the whole would be too
 * long to write out.
 */
export type Rows = typeof authentication &
  typeof tokens &
  typeof passwords &
  typeof users &
  typeof strategies &
  typeof claims &
  typeof recommendations &
  typeof calculations &
  typeof stockActions &
  typeof alertTemplate &
  typeof subscriptions &
  typeof trackRecord &
  typeof anchors &
  typeof statistics &
  typeof trades &
  typeof webhooks &
  typeof endpoints &
  typeof bots &
  typeof botStatistics &
  typeof connections &
  typeof halts &
  typeof timelines &
  typeof serviceInfo &
  typeof overview &
  typeof userList &
  typeof stocks &
  typeof payments &
  typeof withdrawals;

export const rows: Rows = {
  ...authentication,
  ...tokens,
  ...passwords,
  ...users,
  ...strategies,
  ...claims,
  ...recommendations,
  ...calculations,
  ...stockActions,
  ...alertTemplate,
  ...subscriptions,
  ...trackRecord,
  ...anchors,
  ...statistics,
  ...trades,
  ...webhooks,
  ...endpoints,
  ...bots,
  ...botStatistics,
  ...connections,
  ...halts,
  ...timelines,
  ...serviceInfo,
  ...overview,
  ...userList,
  ...stocks,
  ...payments,
  ...withdrawals,
};
