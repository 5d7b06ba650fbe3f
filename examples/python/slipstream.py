"""Slipstream from Python, with the standard library alone.

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

    def verifyToken(self):
        """Shows the token and its scope."""
        return self._call("GET", "/verifyToken", {})

    def newUser(self, *, email, password, ref_id=UNSET, idempotency_key=None):
        """Creates a user. If sign-up is closed, only the operator may."""
        return self._call("POST", "/newUser", {"email": email, "password": password, "ref_id": ref_id}, key=idempotency_key)

    def newSession(self, *, email, password, totp=UNSET):
        """Gives a refresh token for an e-mail address and its password."""
        return self._call("POST", "/newSession", {"email": email, "password": password, "totp": totp})

    def newToken(self, *, name, scope, type=UNSET, expires_at=UNSET, strategy_ids=UNSET, limits=UNSET, idempotency_key=None):
        """Creates an api token, or a session of an hour; its text is shown once."""
        return self._call("POST", "/newToken", {"name": name, "scope": scope, "type": type, "expires_at": expires_at, "strategy_ids": strategy_ids, "limits": limits}, arrays=["scope", "strategy_ids"], key=idempotency_key)

    def deleteToken(self, *, token_id, idempotency_key=None):
        """Revokes a token and all tokens made from it; their live streams end."""
        return self._call("POST", "/deleteToken", {"token_id": token_id}, key=idempotency_key)

    def getTokens(self, *, type=UNSET, limit=UNSET, cursor=UNSET):
        """The caller's tokens that have not expired, newest first, without their texts."""
        return self._call("GET", "/getTokens", {"type": type, "limit": limit, "cursor": cursor})

    def updatePassword(self, *, new_password, password=UNSET, reset_code=UNSET, idempotency_key=None):
        """Sets a new password, with the current one or with a mailed code."""
        return self._call("POST", "/updatePassword", {"new_password": new_password, "password": password, "reset_code": reset_code}, key=idempotency_key)

    def newPasswordReset(self, *, email, idempotency_key=None):
        """Mails a one-time code for a new password, valid for an hour."""
        return self._call("POST", "/newPasswordReset", {"email": email}, key=idempotency_key)

    def newEmailConfirmation(self, *, idempotency_key=None):
        """Mails another link that confirms the caller's address; the link before becomes invalid."""
        return self._call("POST", "/newEmailConfirmation", {}, key=idempotency_key)

    def confirmEmail(self, *, code, idempotency_key=None):
        """Confirms the address to which the code was mailed."""
        return self._call("POST", "/confirmEmail", {"code": code}, key=idempotency_key)

    def updateEmail(self, *, email, password, totp=UNSET, idempotency_key=None):
        """Mails a link to a new address, which becomes the account’s once the link is confirmed."""
        return self._call("POST", "/updateEmail", {"email": email, "password": password, "totp": totp}, key=idempotency_key)

    def newTotp(self, *, password, idempotency_key=None):
        """Creates a secret for an authenticator app; confirmTotp turns the second factor on."""
        return self._call("POST", "/newTotp", {"password": password}, key=idempotency_key)

    def confirmTotp(self, *, totp, idempotency_key=None):
        """Turns the second factor on with a code of the app; the recovery codes are shown once."""
        return self._call("POST", "/confirmTotp", {"totp": totp}, key=idempotency_key)

    def deleteTotp(self, *, password, totp=UNSET, idempotency_key=None):
        """Turns the second factor off with the password and a last code."""
        return self._call("POST", "/deleteTotp", {"password": password, "totp": totp}, key=idempotency_key)

    def getUsers(self, *, user_id):
        """Public profiles with their figures."""
        return self._call("GET", "/getUsers", {"user_id": user_id}, arrays=["user_id"])

    def getUserInfo(self):
        """The caller's own record."""
        return self._call("GET", "/getUserInfo", {})

    def updateUserInfo(self, *, name=UNSET, bio=UNSET, youtube=UNSET, x=UNSET, telegram=UNSET, website=UNSET, idempotency_key=None):
        """Changes the given fields of the profile; an empty text removes a field."""
        return self._call("POST", "/updateUserInfo", {"name": name, "bio": bio, "youtube": youtube, "x": x, "telegram": telegram, "website": website}, key=idempotency_key)

    def updateUserNotifications(self, *, notifications, idempotency_key=None):
        """Replaces the set of the user's notification types."""
        return self._call("POST", "/updateUserNotifications", {"notifications": notifications}, arrays=["notifications"], key=idempotency_key)

    def getNotifications(self, *, limit=UNSET, cursor=UNSET):
        """The user's notifications, newest first."""
        return self._call("GET", "/getNotifications", {"limit": limit, "cursor": cursor})

    def readNotifications(self, *, notification_id=UNSET, idempotency_key=None):
        """Marks notifications as read: the named ones, or all."""
        return self._call("POST", "/readNotifications", {"notification_id": notification_id}, arrays=["notification_id"], key=idempotency_key)

    def getUserExport(self, *, limit=UNSET, cursor=UNSET):
        """All stored data of the user, without secrets, in pieces."""
        return self._call("GET", "/getUserExport", {"limit": limit, "cursor": cursor})

    def deleteUser(self, *, password, totp=UNSET, idempotency_key=None):
        """Deletes the account permanently."""
        return self._call("POST", "/deleteUser", {"password": password, "totp": totp}, key=idempotency_key)

    def newStrategy(self, *, type, name, description=UNSET, categories=UNSET, private=UNSET, price=UNSET, input_value=UNSET, invited_user_ids=UNSET, alert_watch=UNSET, idempotency_key=None):
        """Creates a strategy: value 1, all cash."""
        return self._call("POST", "/newStrategy", {"type": type, "name": name, "description": description, "categories": categories, "private": private, "price": price, "input_value": input_value, "invited_user_ids": invited_user_ids, "alert_watch": alert_watch}, arrays=["categories", "invited_user_ids"], key=idempotency_key)

    def updateStrategy(self, *, strategy_id, name=UNSET, description=UNSET, categories=UNSET, private=UNSET, price=UNSET, input_value=UNSET, invited_user_ids=UNSET, alert_watch=UNSET, idempotency_key=None):
        """Changes the given fields of a strategy."""
        return self._call("POST", "/updateStrategy", {"strategy_id": strategy_id, "name": name, "description": description, "categories": categories, "private": private, "price": price, "input_value": input_value, "invited_user_ids": invited_user_ids, "alert_watch": alert_watch}, arrays=["categories", "invited_user_ids"], key=idempotency_key)

    def deleteStrategy(self, *, strategy_id, idempotency_key=None):
        """Deletes a strategy: open orders are cancelled, subscriptions end."""
        return self._call("POST", "/deleteStrategy", {"strategy_id": strategy_id}, key=idempotency_key)

    def undoStrategyEnd(self, *, strategy_id, idempotency_key=None):
        """Undoes the end of a strategy whose value was at or below zero, within 7 days."""
        return self._call("POST", "/undoStrategyEnd", {"strategy_id": strategy_id}, key=idempotency_key)

    def getStrategies(self, *, strategy_id, timeframe=UNSET):
        """Strategies with their performance and ranks."""
        return self._call("GET", "/getStrategies", {"strategy_id": strategy_id, "timeframe": timeframe}, arrays=["strategy_id"])

    def getStrategyValues(self, *, strategy_id):
        """The current values; null while a quote is missing."""
        return self._call("GET", "/getStrategyValues", {"strategy_id": strategy_id}, arrays=["strategy_id"])

    def getStrategyHistory(self, *, strategy_id, timeframe=UNSET, from_=UNSET, to=UNSET, interval=UNSET, claimed=UNSET, benchmark=UNSET, format=UNSET):
        """The value history at equal steps of time, at most 500 points."""
        return self._call("GET", "/getStrategyHistory", {"strategy_id": strategy_id, "timeframe": timeframe, "from": from_, "to": to, "interval": interval, "claimed": claimed, "benchmark": benchmark, "format": format})

    def getPositions(self, *, strategy_id):
        """The positions of a strategy, for its owner and active subscribers."""
        return self._call("GET", "/getPositions", {"strategy_id": strategy_id})

    def newClaimedHistory(self, *, strategy_id, points, idempotency_key=None):
        """Imports what the owner claims of the time before the strategy was here."""
        return self._call("POST", "/newClaimedHistory", {"strategy_id": strategy_id, "points": points}, arrays=["points"], key=idempotency_key)

    def deleteClaimedHistory(self, *, strategy_id, idempotency_key=None):
        """Removes the imported history of a strategy."""
        return self._call("POST", "/deleteClaimedHistory", {"strategy_id": strategy_id}, key=idempotency_key)

    def findStrategies(self, *, query=UNSET, type=UNSET, category=UNSET, max_price=UNSET, min_age_days=UNSET, max_drawdown=UNSET, basis=UNSET, timeframe=UNSET, sort=UNSET, mine=UNSET, limit=UNSET, cursor=UNSET):
        """Public strategies that match a search, the best first; with mine the own ones."""
        return self._call("GET", "/findStrategies", {"query": query, "type": type, "category": category, "max_price": max_price, "min_age_days": min_age_days, "max_drawdown": max_drawdown, "basis": basis, "timeframe": timeframe, "sort": sort, "mine": mine, "limit": limit, "cursor": cursor}, arrays=["category"])

    def getRecommendedStrategies(self, *, strategy_id=UNSET, timeframe=UNSET, limit=UNSET):
        """Public strategies by rank_top, first those that resemble the named ones."""
        return self._call("GET", "/getRecommendedStrategies", {"strategy_id": strategy_id, "timeframe": timeframe, "limit": limit}, arrays=["strategy_id"])

    def getStrategyCalculation(self, *, strategy_id, input_value, input_date=UNSET):
        """A strategy in the figures of one user; nothing is stored."""
        return self._call("GET", "/getStrategyCalculation", {"strategy_id": strategy_id, "input_value": input_value, "input_date": input_date})

    def updateStrategyCalculation(self, *, strategy_id, input_value, input_date=UNSET, idempotency_key=None):
        """The same, stored in the caller's own subscription."""
        return self._call("POST", "/updateStrategyCalculation", {"strategy_id": strategy_id, "input_value": input_value, "input_date": input_date}, key=idempotency_key)

    def newStockAction(self, *, idempotency_key=None):
        """Applies a split or a cash dividend to every strategy and simulated account."""
        return self._call("POST", "/newStockAction", {}, key=idempotency_key)

    def getStockActions(self, *, strategy_id, limit=UNSET, cursor=UNSET):
        """The effects of splits, dividends and delistings on a strategy, newest first."""
        return self._call("GET", "/getStockActions", {"strategy_id": strategy_id, "limit": limit, "cursor": cursor})

    def getAlertTemplate(self, *, strategy_id, stock_id, leverage=UNSET, pyramiding=UNSET):
        """The JSON to paste into a charting platform's alert."""
        return self._call("GET", "/getAlertTemplate", {"strategy_id": strategy_id, "stock_id": stock_id, "leverage": leverage, "pyramiding": pyramiding})

    def newAlertTemplate(self, *, strategy_id, stock_id, leverage=UNSET, pyramiding=UNSET, idempotency_key=None):
        """The same with a new token in it, which can only send alerts to this strategy."""
        return self._call("POST", "/newAlertTemplate", {"strategy_id": strategy_id, "stock_id": stock_id, "leverage": leverage, "pyramiding": pyramiding}, key=idempotency_key)

    def newStrategySubscription(self, *, strategy_id, price=UNSET, input_value=UNSET, input_date=UNSET, idempotency_key=None):
        """Subscribes the caller to a strategy."""
        return self._call("POST", "/newStrategySubscription", {"strategy_id": strategy_id, "price": price, "input_value": input_value, "input_date": input_date}, key=idempotency_key)

    def deleteStrategySubscription(self, *, strategy_id, user_id=UNSET, idempotency_key=None):
        """Ends the caller's subscription; a paid one stays active until ends_at. With user_id: ends that user's at once."""
        return self._call("POST", "/deleteStrategySubscription", {"strategy_id": strategy_id, "user_id": user_id}, key=idempotency_key)

    def getStrategySubscriptions(self, *, strategy_id=UNSET, limit=UNSET, cursor=UNSET):
        """The caller's own subscriptions, newest first; without strategy_id[] all of them."""
        return self._call("GET", "/getStrategySubscriptions", {"strategy_id": strategy_id, "limit": limit, "cursor": cursor}, arrays=["strategy_id"])

    def getTrackRecord(self, *, strategy_id, limit=UNSET, cursor=UNSET, proof=UNSET):
        """The tamper-evident record of every fill and daily value, oldest first."""
        return self._call("GET", "/getTrackRecord", {"strategy_id": strategy_id, "limit": limit, "cursor": cursor, "proof": proof})

    def newAnchor(self, *, day=UNSET):
        """The anchor of a day with its leaves; without a day it makes what is missing now."""
        return self._call("POST", "/newAnchor", {"day": day})

    def getStrategyStatistics(self, *, strategy_id, timeframe=UNSET, from_=UNSET, to=UNSET, risk_free=UNSET, benchmark=UNSET, min_n=UNSET, format=UNSET):
        """How a strategy earned its figures: returns, risk, drawdowns, months, round trips."""
        return self._call("GET", "/getStrategyStatistics", {"strategy_id": strategy_id, "timeframe": timeframe, "from": from_, "to": to, "risk_free": risk_free, "benchmark": benchmark, "min_n": min_n, "format": format})

    def getReport(self, *, strategy_id=UNSET, bot_id=UNSET, timeframe=UNSET, from_=UNSET, to=UNSET, risk_free=UNSET, benchmark=UNSET, min_n=UNSET):
        """A report of a strategy, or of a bot, as one HTML file: curves, months, figures, trades."""
        return self._call("GET", "/getReport", {"strategy_id": strategy_id, "bot_id": bot_id, "timeframe": timeframe, "from": from_, "to": to, "risk_free": risk_free, "benchmark": benchmark, "min_n": min_n}, is_file=True)

    def getOrders(self, *, strategy_id, order_status=UNSET, from_=UNSET, to=UNSET, limit=UNSET, cursor=UNSET, format=UNSET):
        """Orders of a strategy, newest first; by default the open ones."""
        return self._call("GET", "/getOrders", {"strategy_id": strategy_id, "order_status": order_status, "from": from_, "to": to, "limit": limit, "cursor": cursor, "format": format})

    def newOrder(self, *, strategy_id, stock_id, action, type=UNSET, amount=UNSET, total=UNSET, price=UNSET, stop_price=UNSET, order_dependencies=UNSET, reduce_only=UNSET, idempotency_key=None):
        """Places an order of a fixed size."""
        return self._call("POST", "/newOrder", {"strategy_id": strategy_id, "stock_id": stock_id, "action": action, "type": type, "amount": amount, "total": total, "price": price, "stop_price": stop_price, "order_dependencies": order_dependencies, "reduce_only": reduce_only}, key=idempotency_key)

    def newOrderAllocations(self, *, strategy_id, allocations, slippage=UNSET, idempotency_key=None):
        """Cancels every open order, then trades toward the complete set of targets."""
        return self._call("POST", "/newOrderAllocations", {"strategy_id": strategy_id, "allocations": allocations, "slippage": slippage}, arrays=["allocations"], key=idempotency_key)

    def previewOrderAllocations(self, *, strategy_id, allocations, slippage=UNSET, idempotency_key=None):
        """The plan of newOrderAllocations, without trading."""
        return self._call("POST", "/previewOrderAllocations", {"strategy_id": strategy_id, "allocations": allocations, "slippage": slippage}, arrays=["allocations"], key=idempotency_key)

    def deleteOrder(self, *, strategy_id, order_id, idempotency_key=None):
        """Cancels an open order; orders that depend on it are released."""
        return self._call("POST", "/deleteOrder", {"strategy_id": strategy_id, "order_id": order_id}, key=idempotency_key)

    def getMaxOrderSize(self, *, strategy_id, stock_id, action, slippage=UNSET, type=UNSET, price=UNSET, stop_price=UNSET, order_dependencies=UNSET):
        """The largest order that newOrder would accept, normalized."""
        return self._call("GET", "/getMaxOrderSize", {"strategy_id": strategy_id, "stock_id": stock_id, "action": action, "slippage": slippage, "type": type, "price": price, "stop_price": stop_price, "order_dependencies": order_dependencies}, arrays=["order_dependencies"])

    def getTrades(self, *, strategy_id, from_=UNSET, to=UNSET, limit=UNSET, cursor=UNSET, format=UNSET):
        """Fills of a strategy, newest first."""
        return self._call("GET", "/getTrades", {"strategy_id": strategy_id, "from": from_, "to": to, "limit": limit, "cursor": cursor, "format": format})

    def newOrderWebhook(self, *, strategy_id, stock_id, action, leverage=UNSET, pyramiding=UNSET, slippage=UNSET, market_position=UNSET, market_position_size=UNSET, prev_market_position_size=UNSET, alert_id=UNSET, api_token=UNSET, idempotency_key=None):
        """Accepts an alert of a charting platform."""
        return self._call("POST", "/newOrderWebhook", {"strategy_id": strategy_id, "stock_id": stock_id, "action": action, "leverage": leverage, "pyramiding": pyramiding, "slippage": slippage, "market_position": market_position, "market_position_size": market_position_size, "prev_market_position_size": prev_market_position_size, "alert_id": alert_id, "api_token": api_token}, key=idempotency_key, token_in_body=True)

    def previewOrderWebhook(self, *, strategy_id, stock_id, action, leverage=UNSET, pyramiding=UNSET, slippage=UNSET, market_position=UNSET, market_position_size=UNSET, prev_market_position_size=UNSET, alert_id=UNSET, api_token=UNSET, idempotency_key=None):
        """The plan of newOrderWebhook, without trading."""
        return self._call("POST", "/previewOrderWebhook", {"strategy_id": strategy_id, "stock_id": stock_id, "action": action, "leverage": leverage, "pyramiding": pyramiding, "slippage": slippage, "market_position": market_position, "market_position_size": market_position_size, "prev_market_position_size": prev_market_position_size, "alert_id": alert_id, "api_token": api_token}, key=idempotency_key, token_in_body=True)

    def getAlerts(self, *, strategy_id=UNSET, limit=UNSET, cursor=UNSET):
        """Alerts with a valid token and their outcomes, newest first."""
        return self._call("GET", "/getAlerts", {"strategy_id": strategy_id, "limit": limit, "cursor": cursor})

    def newEndpoint(self, *, kind, events, strategy_ids=UNSET, value_levels=UNSET, url=UNSET, bot_token=UNSET, chat_id=UNSET, idempotency_key=None):
        """Sends events to a webhook, a Telegram chat or a Discord channel from now on."""
        return self._call("POST", "/newEndpoint", {"kind": kind, "events": events, "strategy_ids": strategy_ids, "value_levels": value_levels, "url": url, "bot_token": bot_token, "chat_id": chat_id}, arrays=["events", "strategy_ids", "value_levels"], key=idempotency_key)

    def getEndpoints(self):
        """The caller's endpoints, newest first, without secrets."""
        return self._call("GET", "/getEndpoints", {})

    def updateEndpoint(self, *, endpoint_id, events=UNSET, strategy_ids=UNSET, value_levels=UNSET, status=UNSET, rotate_secret=UNSET, url=UNSET, bot_token=UNSET, chat_id=UNSET, idempotency_key=None):
        """Changes an endpoint, disables it, makes it active again or gives it a new secret."""
        return self._call("POST", "/updateEndpoint", {"endpoint_id": endpoint_id, "events": events, "strategy_ids": strategy_ids, "value_levels": value_levels, "status": status, "rotate_secret": rotate_secret, "url": url, "bot_token": bot_token, "chat_id": chat_id}, arrays=["events", "value_levels"], key=idempotency_key)

    def deleteEndpoint(self, *, endpoint_id, idempotency_key=None):
        """Removes an endpoint with its deliveries."""
        return self._call("POST", "/deleteEndpoint", {"endpoint_id": endpoint_id}, key=idempotency_key)

    def getDeliveries(self, *, endpoint_id, limit=UNSET, cursor=UNSET):
        """What was sent to an endpoint in the last 30 days, newest first."""
        return self._call("GET", "/getDeliveries", {"endpoint_id": endpoint_id, "limit": limit, "cursor": cursor})

    def retryDelivery(self, *, delivery_id, idempotency_key=None):
        """Sends a message once more, now and under its id."""
        return self._call("POST", "/retryDelivery", {"delivery_id": delivery_id}, key=idempotency_key)

    def newBot(self, *, type, broker, allocations, account_id=UNSET, name=UNSET, leverage=UNSET, slippage=UNSET, price_collar=UNSET, max_spread=UNSET, limits=UNSET, on_breach=UNSET, rebalance=UNSET, rebalance_on_start=UNSET, close_on_stop=UNSET, existing_positions=UNSET, mode=UNSET, join=UNSET, allow_stocks=UNSET, deny_stocks=UNSET, dry_run=UNSET, notifications=UNSET, credentials=UNSET, idempotency_key=None):
        """Creates a bot that mirrors strategies into a brokerage account; it is off."""
        return self._call("POST", "/newBot", {"type": type, "broker": broker, "allocations": allocations, "account_id": account_id, "name": name, "leverage": leverage, "slippage": slippage, "price_collar": price_collar, "max_spread": max_spread, "limits": limits, "on_breach": on_breach, "rebalance": rebalance, "rebalance_on_start": rebalance_on_start, "close_on_stop": close_on_stop, "existing_positions": existing_positions, "mode": mode, "join": join, "allow_stocks": allow_stocks, "deny_stocks": deny_stocks, "dry_run": dry_run, "notifications": notifications, "credentials": credentials}, arrays=["allocations", "deny_stocks", "notifications"], key=idempotency_key)

    def updateBot(self, *, bot_id, broker=UNSET, allocations=UNSET, name=UNSET, leverage=UNSET, slippage=UNSET, price_collar=UNSET, max_spread=UNSET, limits=UNSET, on_breach=UNSET, rebalance=UNSET, rebalance_on_start=UNSET, close_on_stop=UNSET, existing_positions=UNSET, mode=UNSET, join=UNSET, allow_stocks=UNSET, deny_stocks=UNSET, dry_run=UNSET, notifications=UNSET, credentials=UNSET, idempotency_key=None):
        """Changes the given fields of a bot; broker, credentials, existing_positions and dry_run only while it is off."""
        return self._call("POST", "/updateBot", {"bot_id": bot_id, "broker": broker, "allocations": allocations, "name": name, "leverage": leverage, "slippage": slippage, "price_collar": price_collar, "max_spread": max_spread, "limits": limits, "on_breach": on_breach, "rebalance": rebalance, "rebalance_on_start": rebalance_on_start, "close_on_stop": close_on_stop, "existing_positions": existing_positions, "mode": mode, "join": join, "allow_stocks": allow_stocks, "deny_stocks": deny_stocks, "dry_run": dry_run, "notifications": notifications, "credentials": credentials}, arrays=["allocations", "deny_stocks", "notifications"], key=idempotency_key)

    def previewBot(self, *, bot_id=UNSET, type=UNSET, broker=UNSET, allocations=UNSET, account_id=UNSET, name=UNSET, leverage=UNSET, slippage=UNSET, price_collar=UNSET, max_spread=UNSET, limits=UNSET, on_breach=UNSET, rebalance=UNSET, rebalance_on_start=UNSET, close_on_stop=UNSET, existing_positions=UNSET, mode=UNSET, join=UNSET, allow_stocks=UNSET, deny_stocks=UNSET, dry_run=UNSET, notifications=UNSET, credentials=UNSET, idempotency_key=None):
        """Shows what a bot would do now: its account, what is kept, and the orders."""
        return self._call("POST", "/previewBot", {"bot_id": bot_id, "type": type, "broker": broker, "allocations": allocations, "account_id": account_id, "name": name, "leverage": leverage, "slippage": slippage, "price_collar": price_collar, "max_spread": max_spread, "limits": limits, "on_breach": on_breach, "rebalance": rebalance, "rebalance_on_start": rebalance_on_start, "close_on_stop": close_on_stop, "existing_positions": existing_positions, "mode": mode, "join": join, "allow_stocks": allow_stocks, "deny_stocks": deny_stocks, "dry_run": dry_run, "notifications": notifications, "credentials": credentials}, arrays=["allocations", "deny_stocks", "notifications"], key=idempotency_key)

    def updateBotNotifications(self, *, bot_id, notifications, idempotency_key=None):
        """Replaces the set of the bot's notification types."""
        return self._call("POST", "/updateBotNotifications", {"bot_id": bot_id, "notifications": notifications}, arrays=["notifications"], key=idempotency_key)

    def deleteBot(self, *, bot_id, idempotency_key=None):
        """Deletes a bot that is off."""
        return self._call("POST", "/deleteBot", {"bot_id": bot_id}, key=idempotency_key)

    def getBots(self, *, bot_id=UNSET):
        """The caller's bots; without bot_id[] all of them."""
        return self._call("GET", "/getBots", {"bot_id": bot_id}, arrays=["bot_id"])

    def getBotOrders(self, *, bot_id, from_=UNSET, to=UNSET, limit=UNSET, cursor=UNSET, format=UNSET):
        """The bot's orders at its broker, newest first."""
        return self._call("GET", "/getBotOrders", {"bot_id": bot_id, "from": from_, "to": to, "limit": limit, "cursor": cursor, "format": format})

    def getBotAccount(self, *, bot_id):
        """The present state of the brokerage account."""
        return self._call("GET", "/getBotAccount", {"bot_id": bot_id})

    def getBotHistory(self, *, bot_id, timeframe=UNSET):
        """The history of the bot's account and of its target, at most 500 rows."""
        return self._call("GET", "/getBotHistory", {"bot_id": bot_id, "timeframe": timeframe})

    def startBot(self, *, bot_id, rebalance_on_start=UNSET, live=UNSET, idempotency_key=None):
        """Starts a bot that is off."""
        return self._call("POST", "/startBot", {"bot_id": bot_id, "rebalance_on_start": rebalance_on_start, "live": live}, key=idempotency_key)

    def stopBot(self, *, bot_id, close_on_stop=UNSET, idempotency_key=None):
        """Stops an active bot, and closes its positions if it is set to."""
        return self._call("POST", "/stopBot", {"bot_id": bot_id, "close_on_stop": close_on_stop}, key=idempotency_key)

    def resetBot(self, *, bot_id, acknowledge_breach=UNSET, idempotency_key=None):
        """Schedules the rebalance or the closure again; settings and history stay."""
        return self._call("POST", "/resetBot", {"bot_id": bot_id, "acknowledge_breach": acknowledge_breach}, key=idempotency_key)

    def getBotStatistics(self, *, bot_id, timeframe=UNSET, from_=UNSET, to=UNSET, risk_free=UNSET, min_n=UNSET):
        """The figures of a bot's account without its flows, beside its target, and the difference by cause."""
        return self._call("GET", "/getBotStatistics", {"bot_id": bot_id, "timeframe": timeframe, "from": from_, "to": to, "risk_free": risk_free, "min_n": min_n})

    def newConnection(self, *, broker, idempotency_key=None):
        """Begins to connect a brokerage account on the broker's own page (OAuth)."""
        return self._call("POST", "/newConnection", {"broker": broker}, key=idempotency_key)

    def finishConnection(self, *, code, state, idempotency_key=None):
        """Exchanges the code of the broker, and shows which account it opens."""
        return self._call("POST", "/finishConnection", {"code": code, "state": state}, key=idempotency_key)

    def haltTrading(self, *, scope, reason, id=UNSET, idempotency_key=None):
        """Halts trading: the bots that it hits send no order until it is lifted, and their open ones are cancelled."""
        return self._call("POST", "/haltTrading", {"scope": scope, "reason": reason, "id": id}, key=idempotency_key)

    def resumeTrading(self, *, halt_id, idempotency_key=None):
        """Lifts a halt; a bot trades again when no halt is left that hits it."""
        return self._call("POST", "/resumeTrading", {"halt_id": halt_id}, key=idempotency_key)

    def getTradingHalts(self, *, limit=UNSET, cursor=UNSET):
        """The halts that hit the caller's bots, newest first; the operator sees all of them."""
        return self._call("GET", "/getTradingHalts", {"limit": limit, "cursor": cursor})

    def getTimeline(self, *, user_id=UNSET, limit=UNSET, cursor=UNSET):
        """Posts of a user, or of those whom the caller follows; newest first."""
        return self._call("GET", "/getTimeline", {"user_id": user_id, "limit": limit, "cursor": cursor})

    def newPost(self, *, text, strategy_id=UNSET, idempotency_key=None):
        """Publishes a post; strategy_id names a public strategy that it is about."""
        return self._call("POST", "/newPost", {"text": text, "strategy_id": strategy_id}, key=idempotency_key)

    def deletePost(self, *, post_id, idempotency_key=None):
        """Removes a post of the caller and its likes."""
        return self._call("POST", "/deletePost", {"post_id": post_id}, key=idempotency_key)

    def newLike(self, *, post_id, idempotency_key=None):
        """Likes a post; a repeat changes nothing."""
        return self._call("POST", "/newLike", {"post_id": post_id}, key=idempotency_key)

    def deleteLike(self, *, post_id, idempotency_key=None):
        """Removes a like; without one it changes nothing."""
        return self._call("POST", "/deleteLike", {"post_id": post_id}, key=idempotency_key)

    def getServiceInfo(self):
        """The service itself: its prices, sources, brokers, and what its figures are."""
        return self._call("GET", "/getServiceInfo", {})

    def getOverview(self):
        """The state of the whole service: counts, failures, sources, disk, halts."""
        return self._call("GET", "/getOverview", {})

    def getUserList(self, *, query=UNSET, limit=UNSET, cursor=UNSET):
        """The users of the service, newest first, for its operator."""
        return self._call("GET", "/getUserList", {"query": query, "limit": limit, "cursor": cursor})

    def getStocks(self, *, stock_id):
        """Stocks with their market prices."""
        return self._call("GET", "/getStocks", {"stock_id": stock_id}, arrays=["stock_id"])

    def findStocks(self, *, query=UNSET, security=UNSET, limit=UNSET):
        """Stocks whose symbol or name matches."""
        return self._call("GET", "/findStocks", {"query": query, "security": security, "limit": limit})

    def newQuotes(self, *, quotes, idempotency_key=None):
        """Accepts quotes, if the market is set to push."""
        return self._call("POST", "/newQuotes", {"quotes": quotes}, arrays=["quotes"], key=idempotency_key)

    def updateStocks(self, *, stocks, idempotency_key=None):
        """Adds or changes stocks, by stock_id or by symbol and exchange."""
        return self._call("POST", "/updateStocks", {"stocks": stocks}, arrays=["stocks"], key=idempotency_key)

    def getPaymentSources(self):
        """The caller's payment sources, newest first."""
        return self._call("GET", "/getPaymentSources", {})

    def newPaymentSource(self, *, token, name, city, country, line_one, postal, direction=UNSET, primary=UNSET, password=UNSET, totp=UNSET, line_two=UNSET, district=UNSET, idempotency_key=None):
        """Adds a means of payment, or one of payout."""
        return self._call("POST", "/newPaymentSource", {"token": token, "name": name, "city": city, "country": country, "line_one": line_one, "postal": postal, "direction": direction, "primary": primary, "password": password, "totp": totp, "line_two": line_two, "district": district}, key=idempotency_key)

    def deletePaymentSource(self, *, source_id, idempotency_key=None):
        """Removes a payment source and erases its name and address."""
        return self._call("POST", "/deletePaymentSource", {"source_id": source_id}, key=idempotency_key)

    def getInvoices(self, *, invoice_id=UNSET, source_id=UNSET, status=UNSET, from_=UNSET, to=UNSET, limit=UNSET, cursor=UNSET, format=UNSET):
        """The caller's invoices, newest first."""
        return self._call("GET", "/getInvoices", {"invoice_id": invoice_id, "source_id": source_id, "status": status, "from": from_, "to": to, "limit": limit, "cursor": cursor, "format": format}, arrays=["invoice_id"])

    def retryInvoice(self, *, invoice_id, idempotency_key=None):
        """Retries a failed invoice at once, with the primary payment source."""
        return self._call("POST", "/retryInvoice", {"invoice_id": invoice_id}, key=idempotency_key)

    def getWithdrawals(self, *, limit=UNSET, cursor=UNSET):
        """The caller's withdrawals, newest first, and the balance of the earnings."""
        return self._call("GET", "/getWithdrawals", {"limit": limit, "cursor": cursor})

    def newWithdrawal(self, *, amount, password, totp=UNSET, idempotency_key=None):
        """Pays settled earnings out to the primary payment source of direction out, an hour later."""
        return self._call("POST", "/newWithdrawal", {"amount": amount, "password": password, "totp": totp}, key=idempotency_key)

    def deleteWithdrawal(self, *, withdrawal_id, idempotency_key=None):
        """Cancels a pending withdrawal."""
        return self._call("POST", "/deleteWithdrawal", {"withdrawal_id": withdrawal_id}, key=idempotency_key)

    def preparePlan(self, *, operation, body, idempotency_key=None):
        """Keeps a request as it is for 60 seconds and shows what it would do; nothing is done."""
        return self._call("POST", "/preparePlan", {"operation": operation, "body": body}, key=idempotency_key)

    def commitPlan(self, *, plan_id, idempotency_key=None):
        """Carries out a prepared plan, once; a repeat within 24 hours gets the first answer."""
        return self._call("POST", "/commitPlan", {"plan_id": plan_id}, key=idempotency_key)
