import type { ItemRow } from './menu-rows.js';

export const snacks = {
  potatoChips: { name: 'Potato chips', description: 'Sea salt, 2.6 oz.', cents: 229 },
  trailMix: { name: 'Trail mix', description: 'Nuts, raisins and chocolate.', cents: 399 },
  chocolateBar: { name: 'Chocolate bar', description: 'Milk chocolate with almonds.', cents: 179 },
  beefJerky: { name: 'Beef jerky', description: 'Teriyaki, 3 oz.', cents: 699, stock: 'LOW_STOCK' },
  iceCreamPint: { name: 'Ice cream, pint', description: 'Cookie dough.', cents: 549, stock: 'OUT_OF_STOCK' },
  seasonalPie: { name: 'Seasonal pie', description: 'Back in the autumn.', cents: 329, available: false },
} as const satisfies Record<string, ItemRow>;

export const groceries = {
  milkGallon: { name: 'Milk, gallon', description: 'Two percent.', cents: 429, untaxed: true },
  breadLoaf: { name: 'Bread', description: 'Sliced, one loaf.', cents: 319, untaxed: true },
  eggsDozen: { name: 'Eggs, dozen', description: 'Large, cage free.', cents: 399, untaxed: true },
  banana: { name: 'Banana', description: 'One.', cents: 79, untaxed: true },
} as const satisfies Record<string, ItemRow>;

export const automotive = {
  propaneExchange: {
    name: 'Propane exchange',
    description: 'A full 20 lb cylinder for an empty one; two to a customer.',
    cents: 2499,
    maximum: 2,
  },
  washerFluid: { name: 'Washer fluid', description: 'One gallon, to -20 °F.', cents: 499 },
  motorOil: { name: 'Motor oil, 5W-30', description: 'One quart.', cents: 899, stock: null },
} as const satisfies Record<string, ItemRow>;

export const counter = {
  lotteryTicket: {
    name: 'Lottery scratch ticket',
    description: 'Cash or debit card only, and never at a discount.',
    cents: 500,
    minimumAge: 18,
    tenders: ['CASH', 'DEBIT_CARD'],
    nonDiscountable: true,
    untaxed: true,
  },
  prepaidCard: {
    name: 'Prepaid card, $25',
    description: 'Activated at handoff. Never at a discount.',
    cents: 2500,
    maximum: 4,
    tenders: ['CASH', 'DEBIT_CARD', 'CREDIT_CARD'],
    nonDiscountable: true,
    untaxed: true,
  },
} as const satisfies Record<string, ItemRow>;
