"""A webhook receiver as such tools are commonly written: accept the alert, keep it with SQLite's own settings, answer."""

import json
import sqlite3
import sys

from flask import Flask, g, request

database, port = sys.argv[1], int(sys.argv[2])
app = Flask(__name__)

with sqlite3.connect(database) as connection:
    connection.execute(
        "CREATE TABLE IF NOT EXISTS alerts (id INTEGER PRIMARY KEY, strategy_id TEXT, action TEXT, body TEXT, "
        "created_at TEXT DEFAULT CURRENT_TIMESTAMP)"
    )


def connection_of_request():
    if "connection" not in g:
        g.connection = sqlite3.connect(database)
    return g.connection


@app.teardown_appcontext
def close_connection(_error):
    connection = g.pop("connection", None)
    if connection is not None:
        connection.close()


@app.post("/newOrderWebhook")
def new_order_webhook():
    alert = request.get_json()
    connection = connection_of_request()
    connection.execute(
        "INSERT INTO alerts (strategy_id, action, body) VALUES (?, ?, ?)",
        (alert["strategy_id"], alert["action"], json.dumps(alert)),
    )
    connection.commit()
    return {"success": True}


app.run(host="127.0.0.1", port=port, threaded=True)
