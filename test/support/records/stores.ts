/** Locations and menus as a service sends them that follows the interface document to the letter. */
import { GROUP_ID, LOCATION_ID, MENU_ITEM_ID, MODIFIER_ID, PAYMENT_ID } from './ids.js';
import { CREATED_AT, usd } from './values.js';

const modifier = { id: MODIFIER_ID, name: 'Cheese', price: usd(50) };
const group = {
  id: GROUP_ID,
  name: 'Extras',
  min_selections: 0,
  max_selections: 3,
  allows_duplicates: true,
  modifiers: [modifier],
};

export const menuItem = {
  id: MENU_ITEM_ID,
  name: 'Turkey sub',
  description: 'Toasted',
  base_price: usd(799),
  available: true,
  age_verification_required: false,
  minimum_age: null,
  max_allowed_quantity: null,
  tender_restriction_level: 'RESTRICTED',
  allowed_tenders: ['CREDIT_CARD', 'EBT'],
  non_discountable: false,
  daily_sales_start_time: '06:00',
  daily_sales_end_time: null,
  modifier_groups: [
    {
      ...group,
      modifiers: [
        { ...modifier, modifier_groups: [{ ...group, modifiers: [{ ...modifier, modifier_groups: [group] }] }] },
      ],
    },
  ],
};

export const menuMetadata = {
  location_id: LOCATION_ID,
  last_modified: CREATED_AT,
  version_hash: 'sha256:a1b2c3d4e5f6',
};

export const menu = {
  ...menuMetadata,
  categories: [{ id: GROUP_ID, name: 'Deli', description: null, sort_order: 1, items: [menuItem] }],
};

export const location = {
  id: LOCATION_ID,
  name: 'QuickStop #247',
  address: { street: '4521 Congress Ave', city: 'Austin', state: 'TX', postal_code: '78745', country: 'US' },
  timezone: 'America/Chicago',
  online_ordering_enabled: true,
  latitude: 30.2277,
  longitude: null,
  business_hours: [{ day_of_week: 'MONDAY', open_time: '06:00', close_time: '22:00', is_closed: false }],
  minimum_order_amounts: { DELIVERY: usd(1500), PICKUP: null },
};

export const inventoryItem = {
  item_id: MENU_ITEM_ID,
  name: 'Turkey sub',
  availability_status: 'LOW_STOCK',
  updated_at: CREATED_AT,
};

export const webhookSubscription = {
  id: PAYMENT_ID,
  url: 'https://shop.example.com/webhooks',
  event_types: ['order.created'],
  status: 'ACTIVE',
  created_at: CREATED_AT,
};
