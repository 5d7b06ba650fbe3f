"""From a strategy to a closed position. SLIPSTREAM_URL and SLIPSTREAM_TOKEN name the server and an api token."""

import os
from decimal import Decimal

from slipstream import RequestFailed, Slipstream

service = Slipstream(os.environ["SLIPSTREAM_URL"], os.environ["SLIPSTREAM_TOKEN"])

strategy = service.newStrategy(type="stock", name="From Python", idempotency_key="my-first")
strategy_id = strategy["strategy_id"]

# Look before: the same plan, nothing done.
half = [{"stock_id": "AAPL:NASDAQ", "percent": Decimal("0.5")}]
preview = service.previewOrderAllocations(strategy_id=strategy_id, allocations=half)
print("would", preview["orders"][0]["action"], preview["orders"][0]["amount"])

# Sent twice under one key, done once.
for _ in range(2):
    orders = service.newOrderAllocations(
        strategy_id=strategy_id, allocations=half, idempotency_key="half-of-it"
    )
print(len(service.getTrades(strategy_id=strategy_id)), "trade")

# Figures are text, and exact.
positions = service.getPositions(strategy_id=strategy_id)["positions"]
print("holds", Decimal(positions[0]["amount"]))

# A "no" has a code for programs and a sentence for people.
try:
    service.newOrder(strategy_id=strategy_id, stock_id="AAPL:NASDAQ", action="buy", total="9")
except RequestFailed as refused:
    print(refused.status, refused.code)

service.newOrderAllocations(strategy_id=strategy_id, allocations=[])
print("closed", len(service.getTrades(strategy_id=strategy_id, format="csv").splitlines()) - 1)
