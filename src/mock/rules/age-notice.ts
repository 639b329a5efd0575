import type { CartItem, HandoffModeName } from '../../contract/index.js';

type AgeRestriction = Pick<CartItem, 'age_verification_required' | 'minimum_age'>;

/** The notice of an order with age-restricted items; null for all others. Such items are never blocked (cart rule 2). */
export function ageVerificationNotice(items: readonly AgeRestriction[], mode: HandoffModeName): string | null {
  const restricted = items.filter((item) => item.age_verification_required);
  if (restricted.length === 0) return null;
  const minimumAge = Math.max(...restricted.map((item) => item.minimum_age ?? 0));
  const age = minimumAge > 0 ? ` and must be at least ${minimumAge} years old` : '';
  const occasion = mode === 'DELIVERY' ? 'at delivery' : 'at pickup';
  return `This order contains age-restricted items. The customer shows a photo ID ${occasion}${age}.`;
}
