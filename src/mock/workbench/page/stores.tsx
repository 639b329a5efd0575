import { useState } from 'preact/hooks';
import {
  dollars,
  type Location,
  type Menu,
  type MenuItem,
  type ModifierGroup,
  type Money,
  post,
  short,
  words,
} from './api';
import { Table } from './orders';
import { act, useRead } from './state';

interface Pricing {
  line_items: {
    cart_item_id: string;
    name: string;
    quantity: number;
    base_price: Money;
    modifier_total: Money;
    item_subtotal: Money;
    item_tax: Money;
    item_total: Money;
  }[];
  discounts: { name?: string; description?: string; code?: string; amount: Money }[];
  fees: { name?: string; type?: string; amount: Money }[];
  subtotal: Money;
  total_tax: Money;
  total_fees: Money;
  total_discount: Money;
  total: Money;
}
interface CartView {
  cart: { id: string; status: string; location_id: string; customer_id: string | null };
  pricing: Pricing;
}

export function Carts() {
  const all = useRead<CartView[]>('/carts', ['carts', 'clock']);
  const carts = [...(all ?? [])].reverse().slice(0, 200);
  const [chosen, choose] = useState<string>();
  const view = carts.find(({ cart }) => cart.id === chosen) ?? carts[0];
  if (!all) return null;
  if (!view) return <p class="empty">No cart yet. Create one, and its price shows here line by line.</p>;
  const { cart, pricing } = view;
  const sums: [string, string][] = [
    ['Subtotal', dollars(pricing.subtotal)],
    ['Tax', dollars(pricing.total_tax)],
    ...pricing.fees.map((fee): [string, string] => [fee.name ?? words(fee.type ?? 'fee'), dollars(fee.amount)]),
    ...pricing.discounts.map((one): [string, string] => [
      `Discount ${one.name ?? one.code ?? one.description ?? ''}`,
      `−${dollars(one.amount)}`,
    ]),
    ['Total', dollars(pricing.total)],
  ];
  return (
    <div class="columns">
      <ul class="cards" aria-label="Carts, newest first">
        {carts.map((one) => (
          <li key={one.cart.id}>
            <button type="button" aria-pressed={one === view} onClick={() => choose(one.cart.id)}>
              <code>{short(one.cart.id)}</code>
              <span>{dollars(one.pricing.total)}</span>
              <span class="quiet">{words(one.cart.status)}</span>
            </button>
          </li>
        ))}
      </ul>
      <section class="panel" aria-label={`Cart ${short(cart.id)}`}>
        <h2>
          Cart <code>{cart.id}</code>
        </h2>
        <p class="quiet">
          {words(cart.status)}
          {cart.customer_id && ` · customer ${cart.customer_id}`}
        </p>
        <Table
          head={['Line', 'Unit', 'Modifiers', 'Subtotal', 'Tax', 'Total']}
          rows={pricing.line_items.map((line) => [
            `${line.quantity} × ${line.name}`,
            dollars(line.base_price),
            dollars(line.modifier_total),
            dollars(line.item_subtotal),
            dollars(line.item_tax),
            dollars(line.item_total),
          ])}
          none="This cart is empty."
        />
        <dl class="sums">
          {sums.map(([name, value], index) => (
            <div key={`${index} ${name}`}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  );
}

/** What a menu says of an item beside its price. */
function Facts({ item }: { item: MenuItem }) {
  const { minimum_age: age, max_allowed_quantity: most, daily_sales_start_time: from } = item;
  const until = item.daily_sales_end_time;
  const facts = [
    item.available ? '' : 'switched off on the menu',
    from || until ? `sold ${from ?? '00:00'} to ${until ?? '24:00'}` : '',
    age ? `from ${age} years` : '',
    most ? `at most ${most}` : '',
  ].filter(Boolean);
  return facts.length > 0 ? <span class="quiet">{facts.join(' · ')}</span> : null;
}

/** Modifier groups, and those of their modifiers, as a customer is asked for them. */
function Groups({ groups }: { groups: ModifierGroup[] }) {
  return (
    <ul class="groups">
      {groups.map((group) => (
        <li key={group.id}>
          <b>{group.name}</b>{' '}
          <span class="quiet">
            {group.min_selections === group.max_selections
              ? `choose ${group.min_selections}`
              : `choose ${group.min_selections} to ${group.max_selections}`}
            {group.allows_duplicates && ', one several times too'}
          </span>
          <ul>
            {group.modifiers.map((modifier) => (
              <li key={modifier.id}>
                {modifier.name}
                {modifier.price.amount !== 0 && <span class="quiet"> +{dollars(modifier.price)}</span>}
                {modifier.available === false && <span class="bad"> sold out</span>}
                {modifier.modifier_groups?.length ? <Groups groups={modifier.modifier_groups} /> : null}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

const STATUSES = ['IN_STOCK', 'LOW_STOCK', 'OUT_OF_STOCK'];

export function MenuView() {
  const locations = useRead<Location[]>('/locations', ['stores']) ?? [];
  const [chosen, choose] = useState<string>();
  const id = chosen ?? locations[0]?.id;
  const base = id === undefined ? null : `/locations/${id}`;
  const menu = useRead<Menu>(base && `${base}/menu`, ['stores']);
  const stock = useRead<Record<string, string>>(base && `${base}/stock`, ['stores']) ?? {};
  return (
    <div class="panel">
      <div class="tools">
        <label>
          Location{' '}
          <select value={id} onChange={(event) => choose(event.currentTarget.value)}>
            {locations.map((location) => (
              <option key={location.id} value={location.id}>
                {location.name}
              </option>
            ))}
          </select>
        </label>
      </div>
      {menu?.categories.map((category) => (
        <details key={category.id} open>
          <summary>
            {category.name} <span class="quiet">{category.items.length} items</span>
          </summary>
          <ul class="items">
            {category.items.map((item) => (
              <Item key={item.id} item={item} base={base!} status={stock[item.id]} />
            ))}
          </ul>
        </details>
      ))}
    </div>
  );
}

function Item({ item, base, status }: { item: MenuItem; base: string; status: string | undefined }) {
  const save = (input: HTMLInputElement): void => {
    const amount = Math.round(Number(input.value) * 100);
    if (amount === item.base_price.amount) return;
    act(post(`${base}/menu/items/${item.id}`, { base_price: { ...item.base_price, amount } }));
  };
  return (
    <li>
      <div class="name">
        {item.modifier_groups?.length ? (
          <details>
            <summary>
              {item.name} <Facts item={item} />
            </summary>
            <Groups groups={item.modifier_groups} />
          </details>
        ) : (
          <>
            {item.name} <Facts item={item} />
          </>
        )}
      </div>
      <label class="price">
        <span class="hidden">Price of {item.name} in dollars</span>$
        <input
          type="number"
          min="0"
          step="0.01"
          key={item.base_price.amount}
          defaultValue={(item.base_price.amount / 100).toFixed(2)}
          onBlur={(event) => save(event.currentTarget)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') save(event.currentTarget);
          }}
        />
      </label>
      <select
        class={status === 'IN_STOCK' ? 'good' : status === 'LOW_STOCK' ? 'warn' : 'bad'}
        aria-label={`Stock of ${item.name}`}
        value={status ?? 'OUT_OF_STOCK'}
        onChange={(event) => act(post(`${base}/stock`, { statuses: { [item.id]: event.currentTarget.value } }))}
      >
        {STATUSES.map((one) => (
          <option key={one} value={one}>
            {words(one)}
          </option>
        ))}
      </select>
    </li>
  );
}
