import type { Choices } from '../../profile/profile.js';

/** Gaps whose other reading is a rule of its own, and no turn of a request or a reply. */
export type RuleReadings = Pick<Choices, 'DISC-3' | 'FEE-2' | 'MENU-6' | 'MENU-7' | 'MENU-13' | 'ORD-2' | 'REF-6'>;
