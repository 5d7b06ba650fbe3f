import type { OperationName } from './operations/index.js';

export { AUTHENTICATION_FAILED } from './requests/envelope.js';
export { secondsToWait } from './requests/try-again.js';
export { type ToldEvents, toldEvents } from './told-events.js';

/** The most channels of a connection (contract 6). */
export const MAX_CHANNELS = 100;

/** What a client must know of an operation to call it. This file needs only small others, so that it costs browsers little. */
export interface Route {
  readonly name: OperationName;
  readonly method: 'GET' | 'POST';
  readonly path: `/${OperationName}`;
  /** Whether an Idempotency-Key can identify a request. */
  readonly isKeyed: boolean;
  /** Whether the token is the field `api_token` of the body. */
  readonly isTokenInBody: boolean;
  /** The parameters of a query that are sent as `name[]`. */
  readonly arrays: readonly string[];
  /** When the answer is a file without the envelope: always, or if `format` is csv. */
  readonly file: 'always' | 'csv' | undefined;
}

type Row = Omit<Route, 'name' | 'path'>;

const READ: Row = {
  method: 'GET',
  isKeyed: false,
  isTokenInBody: false,
  arrays: [],
  file: undefined,
};
const TABLE: Row = { ...READ, file: 'csv' };
const FILE: Row = { ...READ, file: 'always' };
const WRITE: Row = { ...READ, method: 'POST', isKeyed: true };
const UNKEYED: Row = { ...WRITE, isKeyed: false };
const ALERT: Row = { ...WRITE, isTokenInBody: true };
const read = (...arrays: string[]): Row => ({ ...READ, arrays });
const table = (...arrays: string[]): Row => ({ ...TABLE, arrays });

/** The routes of all operations, in the order of `operations`; a test compares both. */
const ROWS: Readonly<Record<OperationName, Row>> = {
  verifyToken: READ,
  newUser: WRITE,
  newSession: UNKEYED,
  newToken: WRITE,
  deleteToken: WRITE,
  getTokens: READ,
  updatePassword: WRITE,
  newPasswordReset: WRITE,
  newEmailConfirmation: WRITE,
  confirmEmail: WRITE,
  updateEmail: WRITE,
  newTotp: WRITE,
  confirmTotp: WRITE,
  deleteTotp: WRITE,
  getUsers: read('user_id'),
  getUserInfo: READ,
  updateUserInfo: WRITE,
  updateUserNotifications: WRITE,
  getNotifications: READ,
  readNotifications: WRITE,
  getUserExport: READ,
  deleteUser: WRITE,
  newStrategy: WRITE,
  updateStrategy: WRITE,
  deleteStrategy: WRITE,
  undoStrategyEnd: WRITE,
  getStrategies: read('strategy_id'),
  getStrategyValues: read('strategy_id'),
  getStrategyHistory: TABLE,
  getPositions: READ,
  newClaimedHistory: WRITE,
  deleteClaimedHistory: WRITE,
  findStrategies: read('category'),
  getRecommendedStrategies: read('strategy_id'),
  getStrategyCalculation: READ,
  updateStrategyCalculation: WRITE,
  newStockAction: WRITE,
  getStockActions: READ,
  getAlertTemplate: READ,
  newAlertTemplate: WRITE,
  newStrategySubscription: WRITE,
  deleteStrategySubscription: WRITE,
  getStrategySubscriptions: read('strategy_id'),
  getTrackRecord: READ,
  newAnchor: UNKEYED,
  getStrategyStatistics: TABLE,
  getReport: FILE,
  getOrders: TABLE,
  newOrder: WRITE,
  newOrderAllocations: WRITE,
  previewOrderAllocations: WRITE,
  deleteOrder: WRITE,
  getMaxOrderSize: read('order_dependencies'),
  getTrades: TABLE,
  newOrderWebhook: ALERT,
  previewOrderWebhook: ALERT,
  getAlerts: READ,
  newEndpoint: WRITE,
  getEndpoints: READ,
  updateEndpoint: WRITE,
  deleteEndpoint: WRITE,
  getDeliveries: READ,
  retryDelivery: WRITE,
  newBot: WRITE,
  updateBot: WRITE,
  previewBot: WRITE,
  updateBotNotifications: WRITE,
  deleteBot: WRITE,
  getBots: read('bot_id'),
  getBotOrders: TABLE,
  getBotAccount: READ,
  getBotHistory: READ,
  startBot: WRITE,
  stopBot: WRITE,
  resetBot: WRITE,
  getBotStatistics: READ,
  newConnection: WRITE,
  finishConnection: WRITE,
  haltTrading: WRITE,
  resumeTrading: WRITE,
  getTradingHalts: READ,
  getTimeline: READ,
  newPost: WRITE,
  deletePost: WRITE,
  newLike: WRITE,
  deleteLike: WRITE,
  getServiceInfo: READ,
  getOverview: READ,
  getUserList: READ,
  getStocks: read('stock_id'),
  findStocks: READ,
  newQuotes: WRITE,
  updateStocks: WRITE,
  getPaymentSources: READ,
  newPaymentSource: WRITE,
  deletePaymentSource: WRITE,
  getInvoices: table('invoice_id'),
  retryInvoice: WRITE,
  getWithdrawals: READ,
  newWithdrawal: WRITE,
  deleteWithdrawal: WRITE,
  preparePlan: WRITE,
  commitPlan: WRITE,
};

/** The route of every operation. */
export const routes = (): Route[] =>
  (Object.keys(ROWS) as OperationName[]).map((name) => ({ name, path: `/${name}`, ...ROWS[name] }));

/** Whether an operation has that name. */
export const isOperation = (name: string): name is OperationName => Object.hasOwn(ROWS, name);

/** Whether the answer to that request is a file. */
export const isFile = ({ file }: Route, fields: Readonly<Record<string, unknown>>): boolean =>
  file === 'always' || (file === 'csv' && fields['format'] === 'csv');
