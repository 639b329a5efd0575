import type { Fee, HandoffModeName, PriceCalculation, PriceLineItem } from '../../contract/index.js';
import type { RuleReadings } from '../state/readings.js';
import type { LocationPricing, MemberDefinition, PromoDefinition } from '../state/state.js';
import { shareOf, sum, usd } from './amounts.js';
import { type DiscountableLine, memberDiscounts, promoDiscount, type SubtotalLine } from './discounts.js';

export interface PricedLine extends DiscountableLine {
  readonly name: string;
  readonly quantity: number;
  /** Cents per unit. */
  readonly basePrice: number;
  /** Cents per unit. */
  readonly modifierTotal: number;
  readonly ageVerificationRequired: boolean;
}

export interface PricingRequest {
  readonly cartId: string;
  readonly lines: readonly PricedLine[];
  readonly mode: HandoffModeName | null;
  /** Cents; null when the mode has no minimum. */
  readonly minimumOrder: number | null;
  readonly pricing: LocationPricing;
  /** The code that counts now: one that has expired, or whose minimum is not met, is null here. */
  readonly promo: PromoDefinition | null;
  /** The member behind `customer_id`; null for everybody else. */
  readonly member: MemberDefinition | null;
  /** ISO 8601. */
  readonly calculatedAt: string;
  readonly readings?: RuleReadings;
}

/** Prices a cart: the one place where its amounts are made. Every amount is a whole number of cents. */
export function priceCart(request: PricingRequest): PriceCalculation {
  const { lines, pricing, promo, readings = {} } = request;
  const subtotals = lines.map((line) => lineSubtotal(line, request.member));
  const discount = promoDiscount(
    lines.map((line, index) => ({ ...line, subtotal: subtotals[index]!.cents })),
    promo,
  );
  const taxed = lines.map((line, index) => {
    const share = readings['DISC-3'] === 'before_discounts' ? 0 : discount.shares[index]!;
    return lineTax(line, subtotals[index]!.cents - share, pricing);
  });

  const subtotal = sum(subtotals.map(({ cents }) => cents));
  const totalTax = sum(taxed.map(({ tax }) => tax));
  const fees = feesOf(request, subtotal, subtotal + totalTax - discount.total);
  const totalFees = sum(fees.map((fee) => fee.amount.amount));

  return {
    cart_id: request.cartId,
    currency: 'USD',
    line_items: lines.map((line, index) => priceLine(line, subtotals[index]!, taxed[index]!.tax)),
    discounts: discount.discounts,
    fees,
    subtotal: usd(subtotal),
    total_tax: usd(totalTax),
    total_fees: usd(totalFees),
    total_discount: usd(discount.total),
    taxable_amount: usd(sum(taxed.map(({ basis }) => basis))),
    total: usd(subtotal + totalTax + totalFees - discount.total),
    age_verification_required: lines.some((line) => line.ageVerificationRequired),
    calculated_at: request.calculatedAt,
    member_pricing_applied: request.member !== null,
  };
}

/** The lines with what is left of each after item-level discounts: what promo codes look at. */
export function subtotalLines(lines: readonly PricedLine[], member: MemberDefinition | null): SubtotalLine[] {
  return lines.map((line) => ({ ...line, subtotal: lineSubtotal(line, member).cents }));
}

interface LineSubtotal {
  readonly cents: number;
  readonly discounts: PriceLineItem['discounts'];
}

/** (base_price + modifier_total - item-level discounts) * quantity: the discounts count per unit (gap DISC-5). */
function lineSubtotal(line: PricedLine, member: MemberDefinition | null): LineSubtotal {
  const unit = line.basePrice + line.modifierTotal;
  const discounts = memberDiscounts(line, unit, member);
  return { cents: (unit - sum(discounts.map(({ amount }) => amount.amount))) * line.quantity, discounts };
}

/** Tax of a line on what cart-level discounts leave of it (gap DISC-3); `basis` is 0 for a line that is not taxed. */
function lineTax(line: PricedLine, remaining: number, pricing: LocationPricing): { basis: number; tax: number } {
  const rate = pricing.taxBasisPoints[line.menuItemId] ?? pricing.taxBasisPoints.default;
  return rate > 0 ? { basis: remaining, tax: shareOf(remaining, rate) } : { basis: 0, tax: 0 };
}

function feesOf(request: PricingRequest, subtotal: number, beforeFees: number): Fee[] {
  const { lines, mode, minimumOrder, pricing, readings = {} } = request;
  if (lines.length === 0 || mode === null) return [];
  const fees = handoffFees({ mode, subtotal, pricing });
  const total = beforeFees + sum(fees.map((fee) => fee.amount.amount));
  return [...fees, ...smallOrderFees(readings['FEE-2'] === 'subtotal' ? subtotal : total, minimumOrder)];
}

function priceLine(line: PricedLine, subtotal: LineSubtotal, tax: number): PriceLineItem {
  return {
    cart_item_id: line.cartItemId,
    menu_item_id: line.menuItemId,
    name: line.name,
    quantity: line.quantity,
    base_price: usd(line.basePrice),
    modifier_total: usd(line.modifierTotal),
    discounts: subtotal.discounts ?? [],
    item_subtotal: usd(subtotal.cents),
    item_tax: usd(tax),
    item_total: usd(subtotal.cents + tax),
  };
}

/** Modes in which staff bring the order to the customer: they carry the service fee (gap FEE-4). */
const SERVED_MODES: readonly string[] = ['CURBSIDE', 'DELIVERY'];

interface FeeBasis {
  readonly mode: HandoffModeName | null;
  /** Cents. */
  readonly subtotal: number;
  readonly pricing: LocationPricing;
}

/** Delivery, service and bag fees of a cart that has items. Without a handoff mode there are none (gap FEE-4). */
function handoffFees({ mode, subtotal, pricing }: FeeBasis): Fee[] {
  if (mode === null) return [];
  const fees: Fee[] = [];
  if (mode === 'DELIVERY') fees.push({ type: 'DELIVERY', name: 'Delivery', amount: usd(pricing.deliveryFee) });
  if (SERVED_MODES.includes(mode)) {
    fees.push({ type: 'SERVICE', name: 'Service', amount: usd(shareOf(subtotal, pricing.serviceFeeBasisPoints)) });
  }
  if (mode !== 'KIOSK') fees.push({ type: 'BAG', name: 'Bag', amount: usd(pricing.bagFee) });
  return fees.filter((fee) => fee.amount.amount > 0);
}

/** The fee that lifts a total to the minimum of its mode, and never above it (cart rule 4, gap FEE-2). */
function smallOrderFees(totalCents: number, minimumCents: number | null): Fee[] {
  const shortfall = (minimumCents ?? 0) - totalCents;
  return shortfall > 0 ? [{ type: 'SMALL_ORDER', name: 'Small order', amount: usd(shortfall) }] : [];
}
