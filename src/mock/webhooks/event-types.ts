/** The event types of the interface document ("Events"). */
export const EVENT_TYPES = [
  'order.created',
  'order.status_changed',
  'order.cancelled',
  'stock.updated',
  'menu.changed',
  'location.hours_changed',
] as const;

export const isKnownType = (type: string): boolean => EVENT_TYPES.some((known) => known === type);
