import { type ItemRow, many, one, some } from './menu-rows.js';

const toasting = some('Toasting', 1, ['Toasted', 0, one('Toast level', 'Medium', 'Light', 'Dark')], 'Not toasted');
const ice = some('Ice', 1, 'No ice', 'Light ice', 'Extra ice');

const size = one('Size', '6 inch', ['12 inch', 400]);
const bread = one(
  'Bread',
  ['Italian herb', 0, toasting],
  ['White', 0, toasting],
  ['Whole wheat', 0, toasting],
  ['Jalapeño cheddar', 50, toasting],
  ['Gluten free', 150, toasting],
);
const cheese = some('Cheese', 2, 'American', 'Provolone', 'Swiss', ['Pepper jack', 25], ['Fresh mozzarella', 75]);
const vegetables = some(
  'Vegetables',
  9,
  'Lettuce',
  'Tomato',
  'Red onion',
  'Cucumber',
  'Green pepper',
  'Pickles',
  'Black olives',
  'Jalapeños',
  'Banana peppers',
  ['Avocado', 125],
);
const sauces = many(
  'Sauces',
  3,
  'Mayonnaise',
  'Yellow mustard',
  'Honey mustard',
  'Ranch',
  'Chipotle',
  'Oil and vinegar',
  'Buffalo',
);
const extras = many('Extras', 3, ['Extra meat', 200], ['Bacon', 175], ['Extra cheese', 75]);
const combo = some('Combo', 1, [
  'Make it a combo',
  250,
  one('Side', 'Potato chips', 'Baked chips', 'Apple slices', ['Cookie', 50], ['Mac and cheese', 100]),
  one(
    'Drink',
    ['Fountain drink', 0, ice],
    ['Iced tea', 0, ice],
    ['Lemonade', 0, ice],
    ['Bottled water', 0],
    ['Cold brew', 125, ice],
  ),
]);

const subGroups = [size, bread, cheese, vegetables, sauces, extras, combo];

export const sandwiches = {
  turkeySub: {
    name: 'Turkey sub',
    description: 'Oven-roasted turkey breast, sliced this morning.',
    cents: 749,
    groups: subGroups,
  },
  italianSub: {
    name: 'Italian sub',
    description: 'Genoa salami, capicola, pepperoni and provolone.',
    cents: 799,
    groups: subGroups,
  },
  hamClub: {
    name: 'Ham club',
    description: 'Black forest ham, bacon and a second slice of bread.',
    cents: 769,
    groups: subGroups,
  },
  meatballMelt: {
    name: 'Meatball melt',
    description: 'Beef meatballs in marinara under mozzarella.',
    cents: 829,
    groups: subGroups,
  },
  chickenBaconRanch: {
    name: 'Chicken bacon ranch',
    description: 'Grilled chicken and smoked bacon.',
    cents: 879,
    groups: subGroups,
  },
  tunaSub: {
    name: 'Tuna sub',
    description: 'Albacore tuna salad with celery.',
    cents: 729,
    groups: subGroups,
  },
  veggieSub: {
    name: 'Veggie sub',
    description: 'Everything from the garden, and hummus.',
    cents: 649,
    groups: [size, bread, cheese, vegetables, sauces, combo],
  },
} as const satisfies Record<string, ItemRow>;

export const breakfast = {
  baconEggBiscuit: {
    name: 'Bacon, egg and cheese biscuit',
    description: 'On a buttermilk biscuit, until eleven.',
    cents: 399,
    sold: ['05:00', '11:00'],
    groups: [one('Egg', 'Fried', 'Scrambled', 'Egg whites'), some('Sauces', 2, 'Ketchup', 'Hot sauce', 'Salsa')],
  },
  breakfastBurrito: {
    name: 'Breakfast burrito',
    description: 'Eggs, potatoes and pepper jack in a flour tortilla.',
    cents: 449,
    sold: ['05:00', '11:00'],
    groups: [one('Filling', 'Chorizo', 'Sausage', 'Bacon', 'Potato'), many('Salsas', 4, 'Mild', 'Medium', 'Hot')],
  },
  pancakeStack: {
    name: 'Pancake stack',
    description: 'Three pancakes with syrup.',
    cents: 499,
    sold: ['05:00', '11:00'],
    groups: [many('Syrup', 4, 'Maple', 'Blueberry', 'Sugar free')],
  },
} as const satisfies Record<string, ItemRow>;

export const hotFood = {
  pepperoniSlice: { name: 'Pepperoni slice', description: 'A large slice, baked every half hour.', cents: 349 },
  hotDog: {
    name: 'Quarter-pound hot dog',
    description: 'All beef, from the roller grill.',
    cents: 249,
    groups: [many('Toppings', 6, 'Ketchup', 'Mustard', 'Relish', 'Onions', ['Chili', 75], ['Nacho cheese', 50])],
  },
  nachos: {
    name: 'Nachos',
    description: 'Corn chips with warm cheese.',
    cents: 399,
    groups: [some('Toppings', 3, 'Jalapeños', 'Salsa', ['Chili', 75])],
  },
  lateNightPizza: {
    name: 'Late-night pizza',
    description: 'A whole pizza when everything else is closed.',
    cents: 1199,
    sold: ['22:00', '02:00'],
    groups: [
      one('Crust', 'Classic', 'Thin'),
      some('Toppings', 4, ['Pepperoni', 150], ['Mushrooms', 100], ['Sausage', 150]),
    ],
  },
} as const satisfies Record<string, ItemRow>;
