import {
  type Cart,
  type DiscountLineItem,
  formatMoney,
  type Menu,
  type Modifier,
  type ModifierSelection,
  type Money,
  type PriceCalculation,
} from 'online-ordering-sdk';
import { amountLine, RECEIPT_WIDTH } from './terminal.js';

/** The price of a cart, explained line by line. */
export function receiptLines(price: PriceCalculation, cart: Cart, menu: Menu): string[] {
  const modifiers = modifiersById(menu);
  return [
    ...price.line_items.flatMap((line) => [
      amountLine(`${line.quantity} x ${line.name}`, formatMoney(line.item_subtotal)),
      ...selectionLines(cart.items.find(({ id }) => id === line.cart_item_id)?.modifier_selections ?? [], modifiers),
      ...(line.discounts ?? []).map((discount) => `    ${discountText(discount)} (included)`),
    ]),
    rule('-'),
    amountLine('Subtotal', formatMoney(price.subtotal)),
    ...price.discounts.map((discount) => amountLine(discountText(discount), `-${formatMoney(discount.amount)}`)),
    ...price.fees.map((fee) => amountLine(fee.name ?? fee.type, formatMoney(fee.amount))),
    amountLine(`Tax on ${formatMoney(price.taxable_amount)}`, formatMoney(price.total_tax)),
    rule('='),
    amountLine('TOTAL', formatMoney(price.total)),
  ];
}

function selectionLines(
  selections: readonly ModifierSelection[],
  modifiers: ReadonlyMap<string, Modifier>,
  level = 1,
): string[] {
  return selections.flatMap((selection) => {
    const modifier = modifiers.get(`${selection.modifier_group_id}/${selection.modifier_id}`);
    const times = selection.quantity > 1 ? `${selection.quantity} x ` : '';
    const extra =
      modifier && modifier.price.amount > 0 ? `  +${formatMoney(timesQuantity(modifier.price, selection))}` : '';
    return [
      `${'    '.repeat(level)}${times}${modifier?.name ?? selection.modifier_id}${extra}`,
      ...selectionLines(selection.nested_selections, modifiers, level + 1),
    ];
  });
}

const timesQuantity = ({ amount, currency }: Money, { quantity }: ModifierSelection): Money => ({
  amount: amount * quantity,
  currency,
});

const discountText = ({ name, type, value, source }: DiscountLineItem): string =>
  `${name}: ${type === 'PERCENTAGE' ? `${Number(value)} %` : value} off, ${source}`;

const rule = (character: string): string => character.repeat(RECEIPT_WIDTH);

/** By group and modifier: one modifier may stand in several groups. */
function modifiersById(menu: Menu): ReadonlyMap<string, Modifier> {
  const found = new Map<string, Modifier>();
  const visit = ({ modifier_groups: groups = [] }: Pick<Modifier, 'modifier_groups'>): void => {
    for (const group of groups) {
      for (const modifier of group.modifiers) {
        found.set(`${group.id}/${modifier.id}`, modifier);
        visit(modifier);
      }
    }
  };
  for (const item of menu.categories.flatMap((category) => category.items)) visit(item);
  return found;
}
