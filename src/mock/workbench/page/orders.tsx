import { useState } from 'preact/hooks';
import { cents, dollars, type Order, type OrderView, post, short, time, words } from './api';
import { act, useRead } from './state';

const ORDER = ['PENDING', 'CONFIRMED', 'COMPLETED'];
const ORDER_ENDS = ['CANCELLED', 'FAILED', 'VOIDED'];
const KITCHEN = ['PENDING', 'IN_PROGRESS', 'PREPARING', 'READY_FOR_PICKUP'];
const PAYMENT = ['UNPAID', 'PROCESSING', 'PARTIALLY_PAID', 'PAID'];

interface DiagramProps {
  name: string;
  line: readonly string[];
  ends: readonly string[];
  present: string;
}

/** A status as a path of states, with the present one lit. A status that is not on the path is added to it. */
function Diagram({ name, line, ends, present }: DiagramProps) {
  const known = [...line, ...ends].includes(present);
  const passed = line.indexOf(present);
  return (
    <div class="diagram">
      <h3>{name}</h3>
      <ol aria-label={`${name}: ${words(present)}`}>
        {[...line, ...(known ? [] : [present])].map((state, index) => (
          <li
            key={state}
            class={state === present ? 'now' : index < passed ? 'past' : ''}
            aria-current={state === present ? 'step' : undefined}
          >
            {words(state)}
          </li>
        ))}
        {ends.map((state) => (
          <li
            key={state}
            class={`end ${state === present ? 'now' : ''}`}
            aria-current={state === present ? 'step' : undefined}
          >
            {words(state)}
          </li>
        ))}
      </ol>
    </div>
  );
}

interface Chosen {
  /** Newest first; undefined until they were read. */
  orders: Order[] | undefined;
  view: OrderView | undefined;
  choose: (id: string) => void;
}

export function useOrders(): Chosen {
  const all = useRead<Order[]>('/orders', ['orders', 'clock']);
  const orders = all && [...all].reverse().slice(0, 200);
  const [chosen, choose] = useState<string>();
  const id = orders?.find((order) => order.id === chosen)?.id ?? orders?.[0]?.id;
  const view = useRead<OrderView>(id === undefined ? null : `/orders/${id}`, ['orders', 'clock']);
  return { orders, view, choose };
}

export function OrderList({
  orders,
  chosen,
  choose,
}: {
  orders: Order[];
  chosen: string | undefined;
  choose: (id: string) => void;
}) {
  return (
    <ul class="cards" aria-label="Orders, newest first">
      {orders.map((order) => (
        <li key={order.id}>
          <button type="button" aria-pressed={order.id === chosen} onClick={() => choose(order.id)}>
            <code>{short(order.id)}</code>
            <span>{dollars(order.total)}</span>
            <span class="quiet">{words(order.fulfillment_status)}</span>
            <span class={`dot ${order.payment_status === 'PAID' ? 'good' : 'wait'}`}>
              {words(order.payment_status)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

const NONE = <p class="empty">No order yet. Check out a cart, and it shows here.</p>;

export function Orders() {
  const { orders, view, choose } = useOrders();
  if (!orders) return null;
  if (orders.length === 0) return NONE;
  return (
    <div class="columns">
      <OrderList orders={orders} chosen={view?.order.id} choose={choose} />
      {view && <OrderPanel {...view} />}
    </div>
  );
}

function OrderPanel({ order, next, timeline }: OrderView) {
  const end = order.handoff.mode === 'DELIVERY' ? 'DELIVERED' : 'FULFILLED';
  return (
    <section class="panel" aria-label={`Order ${short(order.id)}`}>
      <h2>
        Order <code>{order.id}</code>
      </h2>
      <p class="quiet">
        {words(order.handoff.mode)} · {dollars(order.total)}
      </p>
      <Diagram name="Order" line={ORDER} ends={ORDER_ENDS} present={order.status} />
      <Diagram
        name="Fulfillment"
        line={[...KITCHEN, end]}
        ends={['RETURNED', 'CANCELLED']}
        present={order.fulfillment_status}
      />
      <Diagram name="Payment" line={PAYMENT} ends={[]} present={order.payment_status} />
      <h3>Next</h3>
      <p class="buttons">
        {next.length === 0 && <span class="quiet">This order has come to its end.</span>}
        {next.map((status) => (
          <button type="button" key={status} onClick={() => act(post(`/orders/${order.id}/advance`, { status }))}>
            {words(status)}
          </button>
        ))}
      </p>
      <h3>Timeline</h3>
      <ol class="timeline">
        {timeline.map(({ at, what }, index) => (
          <li key={`${at} ${index}`}>
            <span class="quiet">{time(at)}</span> {what}
          </li>
        ))}
      </ol>
    </section>
  );
}

export function MoneyView() {
  const { orders, view, choose } = useOrders();
  if (!orders) return null;
  if (orders.length === 0) return NONE;
  return (
    <div class="columns">
      <OrderList orders={orders} chosen={view?.order.id} choose={choose} />
      {view && <MoneyPanel {...view} />}
    </div>
  );
}

function MoneyPanel({ order, ledger }: OrderView) {
  const facts: [string, string][] = [
    ['Total', dollars(order.total)],
    ['Charged', dollars(ledger.charged)],
    ['Refunded', dollars(ledger.refunded)],
    ['Net', dollars(ledger.net)],
    ['Due', dollars(order.balance_due ?? cents(order.total) - ledger.net)],
  ];
  const sum = (paymentId: string, kind: string): number =>
    ledger.entries.reduce((all, one) => (one.paymentId === paymentId && one.kind === kind ? all + one.cents : all), 0);
  return (
    <section class="panel" aria-label={`Money of order ${short(order.id)}`}>
      <h2>
        Order <code>{order.id}</code>
      </h2>
      <dl class="figures">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h3>Tenders</h3>
      <Table
        head={['Method', 'Status', 'Took', 'Gave back']}
        rows={order.payments.map((one) => [
          one.payment_method,
          words(one.status),
          dollars(sum(one.id, 'charge')),
          dollars(sum(one.id, 'refund') + sum(one.id, 'void')),
        ])}
        none="Nothing was paid."
      />
      <h3>Ledger</h3>
      <Table
        head={['Time', 'Movement', 'Method', 'Amount', 'Key']}
        rows={ledger.entries.map((one) => [
          time(one.at),
          one.kind,
          one.method,
          dollars(one.cents),
          one.idempotencyKey ? short(one.idempotencyKey) : 'the service',
        ])}
        none="No money has moved."
      />
    </section>
  );
}

export function Table({ head, rows, none }: { head: string[]; rows: (string | number)[][]; none: string }) {
  if (rows.length === 0) return <p class="quiet">{none}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <div class="scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={`${index} ${row[0]}`}>
              {row.map((cell, column) => (
                <td key={head[column]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
