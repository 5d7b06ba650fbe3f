-- Rows as the server of release 0.2.0 wrote them: amid a charge that is asked for again, a bot that follows, and an event that
-- its receiver did not take. They are never written anew: they stand for the databases that people have.
INSERT INTO users (id, email, password_hash, profile, commission, notifications, payments_enabled, verified, ref_id, created_at, updated_at, second_factor)
VALUES ('ada', 'ada@example.com', 'hash', '{"bio":"","x":"","website":"","youtube":"","telegram":""}', 20, '["subscription"]', 1, 0, 'ada', 1788146285258, 1788146303394,
  '{"sealedSecret":"v1.sealed","since":1788146303394,"lastStep":59604876,"recovery":["3e53137993d44477cf7a3e69f889b676956de2c707d82f112dcfd89efa78ea86"]}');
INSERT INTO tokens (id, user_id, type, name, scope, strategy_ids, digest, created_at, expires_at, renewed_by_use, limits)
VALUES ('limited', 'ada', 'api', 'limited', '["newOrder"]', NULL, 'digest', 1789183151488, 1820719151488, 1, '{"maxNotionalPerDay":null,"maxOrdersPerDay":3}');
INSERT INTO strategies (id, product_id, user_id, type, private, name, description, categories, price, invited_user_ids, created_at, updated_at, below_zero_for, segments)
VALUES ('momentum', 'p', 'ada', 'stock', 0, 'Momentum', '', '[]', 15, '[]', 1788146287085, 1788146287085, 0,
  '[{"kind":"supplied","reason":"created","startedAt":1788146287085,"startValue":"1","jump":null,"end":null}]');
INSERT INTO books (strategy_id, version, cash) VALUES ('momentum', 37, '0.75');
INSERT INTO positions (strategy_id, stock_id, amount, average_price, realized, created_at, updated_at)
VALUES ('momentum', 'msft.nasdaq', '0.0006', '405.081', '-0.039476308', 1789010292000, 1791628440580);
INSERT INTO orders (place, id, strategy_id, stock_id, action, type, price, total, depends_on, reduce_only, origin, created_at, status, resting_since)
VALUES (37, 'resting', 'momentum', 'ko.nyse', 'buy', 'limit', '20.01', '0.001', '[]', 0, 'order', 1791619779312, 'open', 1791619779312);
INSERT INTO alerts (id, user_id, token_id, strategy_id, stock_id, alert_id, verdict, order_id, body, fingerprint, answer, created_at)
VALUES ('alert', 'ada', 't', 'momentum', 'msft.nasdaq', 'last-alert', 'accepted', 'ordered', '{"action":"buy","leverage":0.6,"alert_id":"last-alert"}', '5oufhxnxkfl2ui4xunxs3ut7fmaqcgw3',
  '{"stock":{"id":"msft.nasdaq","figiComposite":"BBG000BPH459","symbol":"MSFT","stock":"MSFT","name":"Microsoft","sector":"Information Technology","security":"stock","exchange":"NASDAQ","peg":"USD","provider":"slipstream","slippage":{"$decimal":"0.0005"},"fee":{"$decimal":"0"},"links":{},"status":"active"},"quote":{"stockId":"msft.nasdaq","bid":{"$decimal":"405"},"ask":{"$decimal":"405.081"},"last":{"$decimal":"405"},"at":1791619772341},"order":{"id":"ordered","strategyId":"momentum","stockId":"msft.nasdaq","action":"buy","pricing":{"type":"market"},"size":{"by":"amount","amount":{"$decimal":"0.000631427564571782"}},"dependsOn":[],"reduceOnly":false,"origin":"plan","createdAt":1791619774240,"triggeredAt":null,"status":"open","restingSince":null},"waitingReason":null}',
  1791619774240);
INSERT INTO value_days (strategy_id, last, last_at, high, low, drawdown, gross, held_for, is_recorded)
VALUES ('momentum', '1.218936313785010608', 1791619774240, '1.219115349072383073', '1.218936313785010608', '0.000146856724844529', '1.231233326694818346', 29374240, 0);
INSERT INTO invoices (id, user_id, subscription_id, strategy_id, description, status, amount, amount_refunded, refund_owed, source_id, retryable, month, anchor_at, tries, asked,
  first_tried_at, charge_ref, due_at, created_at, updated_at, reason, amount_given)
VALUES
  ('disputed', 'ben', 's', 'momentum', 'Momentum, month 1', 'chargeback', 1500, 400, 0, 'card', 0, 1, 1788664732352, 1, 0, 1788664732352, 'charge-1', NULL, 1788664732352, 1789010293013, NULL, 0),
  ('disputed-owed', 'ben', 's', 'momentum', 'Momentum, month 1', 'chargeback', 1500, 700, 1, 'card', 0, 1, 1788664732352, 1, 0, 1788664732352, 'charge-2', NULL, 1788664732352, 1789010293013, NULL, 200),
  ('refunded', 'ben', 's', 'momentum', 'Momentum, month 1', 'paid', 2000, 1134, 0, 'card', 0, 1, 1788664732352, 1, 0, 1788664732352, 'charge-3', NULL, 1788664732352, 1789010293013, NULL, 0),
  ('asked', 'ben', 's', 'momentum', 'Momentum, month 2', 'pending', 1500, 0, 0, 'card', 0, 2, 1788664732352, 2, 1, 1791256846091, NULL, 1791602472528, 1791256846001, 1791602472528, 'declined', 0);
INSERT INTO bots (id, user_id, type, broker, account_id, live, leverage, slippage, rebalance_on_start, close_on_stop, notifications, allocations, sealed_credentials, status, condition,
  next_run_at, closes_positions, cycle, attempts, drift, last_rebalanced_at, created_at, updated_at, existing_positions, held_parts, price_collar, halts_seen, mode, deny_stocks, dry_run,
  limits, on_breach, notices_of_day, is_known_in_line, following, target_mark, "join", rebalance, pace)
VALUES ('bot', 'ben', 'stock', 'simulated', 'account', 0, '1', '0.002', 1, 0, '["start","stop"]', '[["momentum","1"]]', 'v1.sealed', 'running', 'active',
  1791628501744, 0, 6, 0, '0.000226768581306349', 1791628441744, 1788146295471, 1791628441744, 'take_over', '[["msft.nasdaq","0","10.6642",1791628441212]]', '0.01', '[]', 'normal', '[]', 0,
  '{"maxOrdersPerDay":null,"maxCapital":null,"maxOrder":null,"maxGross":null,"maxPerStock":null,"maxTurnoverPerDay":null,"maxDailyLoss":null,"maxDrawdown":null}', 'reduce_only', '[]', 1,
  '{"seen":[["momentum","trade"]],"open":[],"unjoined":[]}', '{"level":"0.804341520415727549","values":[["momentum","0.8036686816339847455"]]}', 'all', '"every_trade"',
  '{"begunAt":null,"lastAt":null,"usedAt":null,"reducesAtOnce":false,"turning":[]}');
INSERT INTO bot_strategies (strategy_id, bot_id) VALUES ('momentum', 'bot');
INSERT INTO bot_orders (id, bot_id, cycle, stock_id, action, amount, intent, status, filled_amount, created_at, updated_at, limit_price, closes, trade_ids, planned_price)
VALUES ('sent', 'bot', 6, 'ko.nyse', 'sell', '4.9984', 'Bring KO from 26.82% to 23.06% of equity.', 'open', '0', 1791628441703, 1791628442259, '61.38', 1, '[]', '62');
INSERT INTO endpoints (id, user_id, token_id, kind, events, strategy_ids, value_levels, status, sealed_target, created_at, due_at, last_turn)
VALUES ('hook', 'ada', 'limited', 'webhook', '["order.filled"]', NULL, '[]', 'active', 'v1.sealed', 1788146302567, 1791628746282, 'failed');
INSERT INTO deliveries (id, endpoint_id, event_id, event, place, status, attempt, reason, next_at, created_at)
VALUES ('delivery', 'hook', 'event', 'order.filled', 21, 'retrying', 2, 'it refused the connection', 1791628746282, 1791628441028);
INSERT INTO claimed_histories (strategy_id, points) VALUES ('momentum', '[{"at":1706734800000,"value":"1"},{"at":1709154000000,"value":"1.04205"}]');
INSERT INTO halts (id, scope, target, reason, "by", created_at) VALUES ('halt', 'bot', 'bot', 'coins are strange', 'ben', 1788146303414);
