#!/bin/sh
# Order, pay, survive a lost response, and have the events delivered, signed: curl, and nothing else.
#
# Start the service first:  npx online-ordering-sdk mock --clock virtual
# Then:                     sh order.sh http://127.0.0.1:4010 [http://127.0.0.1:3000/hooks whsec_test]
set -eu
ORIGIN=${1:-http://127.0.0.1:4010}
API=$ORIGIN/v1/online-ordering
JSON='Content-Type: application/json'

# The first value of a field in JSON, which has no spaces between its parts.
field() { grep -o "\"$1\":[^,}]*" | head -n 1 | cut -d: -f2- | tr -d '"'; }
# A UUID v4 for each write; the same one for its retries.
new_key() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n' | sed -E 's/(.{8})(.{4}).(.{3}).(.{3})(.{12})/\1-\2-4\3-8\4-\5/'; }
# The control API: what a test in TypeScript does with `service.*`.
control() { curl -sS --fail-with-body -H "$JSON" "$ORIGIN/_mock$1" ${2:+-d "$2"}; }
# One write. curl sends it again, with the same key, when its response was lost or says 5xx.
write() {
  curl -sS --fail-with-body --retry 3 --retry-all-errors --retry-delay 1 \
    -H "$JSON" -H "Authorization: Bearer $TOKEN" -H "Idempotency-Key: $(new_key)" "$API$1" -d "$2"
}

SERVICE=$(control /service)
GRANT='{"grant_type":"CLIENT_CREDENTIALS","client_id":"'$(echo "$SERVICE" | field clientId)'","client_secret":"'$(echo "$SERVICE" | field clientSecret)'"}'
TOKEN=$(curl -sS --fail-with-body -H "$JSON" "$API/auth/token" -d "$GRANT" | field access_token)

CART=$(write /carts '{"location_id":"'"$(echo "$SERVICE" | field downtown)"'"}' | field id)
WATER=$(echo "$SERVICE" | field bottledWater)
write "/carts/$CART/items" '{"menu_item_id":"'"$WATER"'","quantity":2,"modifier_selections":[]}' >/dev/null
PLACED=$(write "/carts/$CART/checkout" '{"handoff_mode":{"mode":"PICKUP"}}')
ORDER=$(echo "$PLACED" | field order_id)
TOTAL=$(control "/orders/$ORDER" | grep -o '"total":{"amount":[0-9]*' | head -n 1 | grep -o '[0-9]*$')

# The payment is executed, and its response is lost.
control /faults '{"endpoint":"POST /orders/{order_id}/payments","fault":{"fail":"socket_reset","after":"commit"}}' >/dev/null
write "/orders/$ORDER/payments" '{"payment_method":"CREDIT_CARD","amount":'"$TOTAL"'}' >/dev/null
echo "charged $(control "/orders/$ORDER/ledger" | grep -o '"kind":"charge"' | grep -c .) times, $(control "/orders/$ORDER/ledger" | field net) of $TOTAL cents"

if [ $# -ge 3 ]; then
  echo "told by $(control /deliveries '{"target":"'"$2"'","signWith":"'"$3"'"}' | grep -o '"delivered":true' | grep -c .) signed webhooks"
fi
