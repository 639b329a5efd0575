import { type ItemRow, many, one, some } from './menu-rows.js';

const cupSize = one('Size', 'Small', ['Medium', 40], ['Large', 80]);
const milk = one('Milk', 'Whole', 'Two percent', 'Skim', ['Oat', 75], ['Almond', 75]);
const syrups = many(
  'Syrups',
  4,
  ['Vanilla', 50],
  ['Hazelnut', 50],
  ['Caramel', 50],
  ['Mocha', 50],
  ['Pumpkin spice', 60],
);
const shots = many('Espresso shots', 3, ['Extra shot', 90], ['Decaf shot', 90]);
const sweeteners = many('Sweeteners', 6, 'Sugar', 'Raw sugar', 'Honey', 'Stevia');
const ice = some('Ice', 1, 'No ice', 'Light ice', 'Extra ice');
const whippedCream = some('Finish', 2, ['Whipped cream', 50, some('Drizzle', 1, 'Caramel', 'Chocolate')], 'Cinnamon');

export const coffee = {
  houseCoffee: {
    name: 'House coffee',
    description: 'Medium roast, brewed by the cup.',
    cents: 189,
    groups: [
      one('Size', 'Small', ['Medium', 30], ['Large', 60]),
      one('Roast', 'Medium', 'Dark', 'Decaf'),
      many('Cream', 4, 'Half and half', 'Oat creamer', 'French vanilla'),
      sweeteners,
    ],
  },
  latte: {
    name: 'Latte',
    description: 'Two shots of espresso and steamed milk.',
    cents: 399,
    groups: [cupSize, milk, syrups, shots, whippedCream],
  },
  cappuccino: {
    name: 'Cappuccino',
    description: 'Two shots of espresso and foam.',
    cents: 379,
    groups: [cupSize, milk, syrups, shots, whippedCream],
  },
  icedCoffee: {
    name: 'Iced coffee',
    description: 'Cold brew over ice.',
    cents: 299,
    groups: [cupSize, milk, syrups, sweeteners, ice],
  },
  hotChocolate: {
    name: 'Hot chocolate',
    description: 'With real cocoa.',
    cents: 279,
    groups: [cupSize, milk, whippedCream],
  },
} as const satisfies Record<string, ItemRow>;

export const coldDrinks = {
  fountainDrink: {
    name: 'Fountain drink',
    description: 'Any flavor, any mix.',
    cents: 179,
    groups: [
      one('Size', '20 oz', ['32 oz', 30], ['44 oz', 60]),
      many('Flavor', 3, 'Cola', 'Diet cola', 'Lemon lime', 'Orange', 'Root beer', 'Cherry'),
      ice,
    ],
  },
  bottledWater: { name: 'Bottled water', description: 'One liter.', cents: 149, untaxed: true },
  sparklingWater: { name: 'Sparkling water', description: 'Lime, one can.', cents: 129 },
  energyDrink: { name: 'Energy drink', description: '16 oz, at most four to a customer.', cents: 329, maximum: 4 },
  orangeJuice: { name: 'Orange juice', description: 'Not from concentrate.', cents: 299, untaxed: true },
} as const satisfies Record<string, ItemRow>;

export const beer = {
  lagerSixPack: {
    name: 'Lager, six pack',
    description: 'Six cans of 12 oz. Photo ID at handoff.',
    cents: 1099,
    minimumAge: 21,
    maximum: 6,
  },
  ipaFourPack: {
    name: 'IPA, four pack',
    description: 'Four cans of 16 oz. Photo ID at handoff.',
    cents: 1299,
    minimumAge: 21,
  },
  hardSeltzer: {
    name: 'Hard seltzer, twelve pack',
    description: 'Mixed flavors. Photo ID at handoff.',
    cents: 1799,
    minimumAge: 21,
    stock: 'LOW_STOCK',
  },
} as const satisfies Record<string, ItemRow>;
