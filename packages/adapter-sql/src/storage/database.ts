import type { AccountTables } from '../accounts/columns.js';
import type { AlertTables } from '../alerts/columns.js';
import type { AuditTables } from '../audit/columns.js';
import type { BillingTables } from '../billing/columns.js';
import type { EndpointTables } from '../endpoints/columns.js';
import type { MarketTables } from '../market/columns.js';
import type { MessageTables } from '../messages/columns.js';
import type { MirroringTables } from '../mirroring/columns.js';
import type { PerformanceTables } from '../performance/columns.js';
import type { PlanTables } from '../plans/columns.js';
import type { SocialTables } from '../social/columns.js';
import type { RequestTables } from './columns.js';
import type { StrategyTables } from '../strategies/columns.js';
import type { TradingTables } from '../trading/columns.js';

/** Every table, for the query builder. */
export interface Database
  extends
    AccountTables,
    StrategyTables,
    TradingTables,
    AlertTables,
    MirroringTables,
    BillingTables,
    SocialTables,
    MessageTables,
    PerformanceTables,
    PlanTables,
    MarketTables,
    AuditTables,
    EndpointTables,
    RequestTables {}
