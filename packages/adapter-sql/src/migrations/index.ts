import { alertsByFingerprint } from './0009-alerts-by-fingerprint.js';
import { audit } from './0008-audit.js';
import { auditArchives } from './0027-audit-archives.js';
import { belowZero } from './0023-below-zero.js';
import { botsAwaitSince } from './0024-bots-await-since.js';
import { confirmedAddresses } from './0015-confirmed-addresses.js';
import { collars } from './0032-collars.js';
import { claimedHistories } from './0060-claimed-histories.js';
import { connections } from './0045-connections.js';
import { costsOfPositions } from './0016-costs-of-positions.js';
import { dailyCloses } from './0048-daily-closes.js';
import { daysOfValues } from './0042-days-of-values.js';
import { declinesAndConfirmations } from './0014-declines-and-confirmations.js';
import { endpoints } from './0061-endpoints.js';
import { endsUnderWay } from './0026-ends-under-way.js';
import { followersInOrder } from './0022-followers-in-order.js';
import { halts } from './0033-halts.js';
import { heldParts } from './0028-held-parts.js';
import { historiesOfBots } from './0041-histories-of-bots.js';
import { joinsOfBots } from './0043-joins-of-bots.js';
import { counts } from './0049-counts.js';
import { anchors } from './0050-anchors.js';
import { namesOfBots } from './0051-names-of-bots.js';
import { octetsOfAlerts } from './0067-octets-of-alerts.js';
import { daysByStrategy } from './0069-days-by-strategy.js';
import { partsOfDisputes } from './0073-parts-of-disputes.js';
import { unheldGains } from './0075-unheld-gains.js';
import { accountsOfBots } from './0076-accounts-of-bots.js';
import { moneyOfEarnings } from './0077-money-of-earnings.js';
import { operatorLists } from './0052-operator-lists.js';
import { costsOfBotOrders } from './0053-costs-of-bot-orders.js';
import { namesOfUsers } from './0055-names-of-users.js';
import { realizedOfTrades } from './0059-realized-of-trades.js';
import { ownerTrades } from './0047-owner-trades.js';
import { pacesOfBots } from './0046-paces-of-bots.js';
import { inbox } from './0003-inbox.js';
import { initial } from './0001-initial.js';
import { keyProof } from './0016-key-proof.js';
import { limitsOfBotOrders } from './0029-limits-of-bot-orders.js';
import { limitsOfBots } from './0035-limits-of-bots.js';
import { limitsOfTokens } from './0064-limits-of-tokens.js';
import { mailsInOrder } from './0021-mails-in-order.js';
import { modesOfBots } from './0034-modes-of-bots.js';
import { payments } from './0005-payments.js';
import { plans } from './0065-plans.js';
import { alertWatches } from './0066-alert-watches.js';
import { reasonsOfStops } from './0019-reasons-of-stops.js';
import { refusedAlerts } from './0018-refused-alerts.js';
import { refundsInDispute } from './0030-refunds-in-dispute.js';
import { renewalsInOrder } from './0031-renewals-in-order.js';
import { secondFactors } from './0017-second-factors.js';
import { dueBots } from './0044-due-bots.js';
import { segments } from './0039-segments.js';
import { sharesOfSplits } from './0012-shares-of-splits.js';
import { social } from './0004-social.js';
import { sourcesOfFills } from './0036-sources-of-fills.js';
import { botsInLine } from './0038-bots-in-line.js';
import { stockActions } from './0006-stock-actions.js';
import { announcedActions } from './0037-announced-actions.js';
import { tallies } from './0020-tallies.js';
import { tokensInFamilies } from './0011-tokens-in-families.js';
import { trackInOrder } from './0010-track-in-order.js';
import { tradesThatOrdersFollow } from './0040-trades-that-orders-follow.js';
import { trackRecord } from './0007-track-record.js';
import { userFigures } from './0013-user-figures.js';
import { userStorage } from './0025-user-storage.js';

/** By name, in the order in which they are applied. A released migration is never changed; add a new one instead. */
export const migrations: Readonly<Record<string, string>> = {
  '0001-initial': initial,
  '0003-inbox': inbox,
  '0004-social': social,
  '0005-payments': payments,
  '0006-stock-actions': stockActions,
  '0007-track-record': trackRecord,
  '0008-audit': audit,
  '0018-refused-alerts': refusedAlerts,
  '0009-alerts-by-fingerprint': alertsByFingerprint,
  '0010-track-in-order': trackInOrder,
  '0011-tokens-in-families': tokensInFamilies,
  '0012-shares-of-splits': sharesOfSplits,
  '0013-user-figures': userFigures,
  '0014-declines-and-confirmations': declinesAndConfirmations,
  '0015-confirmed-addresses': confirmedAddresses,
  '0016-costs-of-positions': costsOfPositions,
  '0016-key-proof': keyProof,
  '0017-second-factors': secondFactors,
  '0019-reasons-of-stops': reasonsOfStops,
  '0020-tallies': tallies,
  '0021-mails-in-order': mailsInOrder,
  '0022-followers-in-order': followersInOrder,
  '0023-below-zero': belowZero,
  '0024-bots-await-since': botsAwaitSince,
  '0025-user-storage': userStorage,
  '0026-ends-under-way': endsUnderWay,
  '0027-audit-archives': auditArchives,
  '0028-held-parts': heldParts,
  '0029-limits-of-bot-orders': limitsOfBotOrders,
  '0030-refunds-in-dispute': refundsInDispute,
  '0031-renewals-in-order': renewalsInOrder,
  '0032-collars': collars,
  '0033-halts': halts,
  '0034-modes-of-bots': modesOfBots,
  '0035-limits-of-bots': limitsOfBots,
  '0036-sources-of-fills': sourcesOfFills,
  '0037-announced-actions': announcedActions,
  '0038-bots-in-line': botsInLine,
  '0039-segments': segments,
  '0040-trades-that-orders-follow': tradesThatOrdersFollow,
  '0041-histories-of-bots': historiesOfBots,
  '0042-days-of-values': daysOfValues,
  '0043-joins-of-bots': joinsOfBots,
  '0044-due-bots': dueBots,
  '0045-connections': connections,
  '0046-paces-of-bots': pacesOfBots,
  '0047-owner-trades': ownerTrades,
  '0048-daily-closes': dailyCloses,
  '0049-counts': counts,
  '0050-anchors': anchors,
  '0051-names-of-bots': namesOfBots,
  '0052-operator-lists': operatorLists,
  '0053-costs-of-bot-orders': costsOfBotOrders,
  '0055-names-of-users': namesOfUsers,
  '0059-realized-of-trades': realizedOfTrades,
  '0060-claimed-histories': claimedHistories,
  '0061-endpoints': endpoints,
  '0064-limits-of-tokens': limitsOfTokens,
  '0065-plans': plans,
  '0066-alert-watches': alertWatches,
  '0067-octets-of-alerts': octetsOfAlerts,
  '0069-days-by-strategy': daysByStrategy,
  '0073-parts-of-disputes': partsOfDisputes,
  '0075-unheld-gains': unheldGains,
  '0076-accounts-of-bots': accountsOfBots,
  '0077-money-of-earnings': moneyOfEarnings,
};
