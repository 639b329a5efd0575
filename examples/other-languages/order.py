"""Order, pay, survive a fault, and be told by a signed webhook: Python's standard library, and nothing else.

Start the service first:  npx online-ordering-sdk mock --clock virtual
Then:                     python3 order.py http://127.0.0.1:4010
"""

import hashlib
import hmac
import http.client
import json
import sys
import threading
import urllib.error
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, HTTPServer

ORIGIN = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:4010"
API = ORIGIN + "/v1/online-ordering"


def send(method, url, body=None, headers=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, method=method, headers=headers or {})
    if data is not None:
        request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def control(method, path, body=None):
    """The control API: what a test in TypeScript does with `service.*`."""
    status, said = send(method, ORIGIN + "/_mock" + path, body if method == "GET" else (body or {}))
    assert status == 200, said
    return said


def write(path, body, was_done=None):
    """One write. Without a usable response it is open whether it was executed: `was_done` looks, and the same key is sent
    again only when nothing is to be seen of it."""
    headers = {"Authorization": "Bearer " + token, "Idempotency-Key": str(uuid.uuid4())}
    for attempt in range(1, 5):
        try:
            status, said = send("POST", API + path, body, headers)
        except (OSError, http.client.HTTPException) as lost:
            status, said = None, str(lost)
        if status is not None and status < 500:
            assert status < 300, said
            return said, attempt
        if was_done and was_done():
            return None, attempt
    raise SystemExit("The service does not recover.")


def read_order(order_id):
    status, order = send("GET", API + "/orders/" + order_id, None, {"Authorization": "Bearer " + token})
    assert status == 200, order
    return order


def pay(order_id, cents):
    """Pays by card. What the order shows as paid decides, not what a response says."""
    before = read_order(order_id)["amount_paid"]["amount"]
    body = {"payment_method": "CREDIT_CARD", "amount": cents}
    path = "/orders/%s/payments" % order_id
    _, attempts = write(path, body, lambda: read_order(order_id)["amount_paid"]["amount"] >= before + cents)
    return attempts


# A receiver that takes nothing without the right signature.
told = []
secret = ""


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        expected = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
        genuine = hmac.compare_digest(expected, self.headers["X-Service-Signature"])
        if genuine:
            told.append(json.loads(body))
        self.send_response(204 if genuine else 401)
        self.end_headers()

    def log_message(self, *args):
        pass


receiver = HTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=receiver.serve_forever, daemon=True).start()

service = control("GET", "/service")
credentials = service["credentials"]
_, granted = send(
    "POST",
    API + "/auth/token",
    {
        "grant_type": "CLIENT_CREDENTIALS",
        "client_id": credentials["clientId"],
        "client_secret": credentials["clientSecret"],
    },
)
token = granted["access_token"]

subscribed = control(
    "POST", "/subscriptions", {"url": "https://hooks.example/orders", "event_types": ["order.created", "order.status_changed"]}
)
secret = subscribed["signing_secret"]

cart, _ = write("/carts", {"location_id": service["samples"]["locations"]["downtown"]})
write("/carts/%s/items" % cart["id"], service["samples"]["cartItems"]["turkeySub"])
placed, _ = write("/carts/%s/checkout" % cart["id"], {"handoff_mode": {"mode": "PICKUP"}})
order = control("GET", "/orders/" + placed["order_id"])["order"]

# The service fails once before it charges, and loses a response once after it has charged.
payments = "POST /orders/{order_id}/payments"
control("POST", "/faults", {"endpoint": payments, "fault": {"status": 503}})
control("POST", "/faults", {"endpoint": payments, "fault": {"fail": "socket_reset", "after": "commit"}})
attempts = pay(order["id"], order["total"]["amount"])
ledger = control("GET", "/orders/%s/ledger" % order["id"])
print("paid with %d attempts, charged %d times" % (attempts, len(ledger["entries"])))

control("POST", "/orders/%s/advance" % order["id"], {"status": "READY_FOR_PICKUP"})
control("POST", "/deliveries", {"target": "http://127.0.0.1:%d/" % receiver.server_port, "shuffle": True})
statuses = {event["data"].get("current_fulfillment_status") for event in told}
print("told by %d signed webhooks, ready for pickup: %s" % (len(told), "READY_FOR_PICKUP" in statuses))
