/** Which rule of the interface document a cart item breaks. */
export type MenuRule =
  | 'unknown_item'
  | 'unavailable'
  | 'outside_sale_hours'
  | 'quantity_below_one'
  | 'quantity_limit'
  | 'unknown_group'
  | 'unknown_modifier'
  | 'modifier_unavailable'
  | 'selection_quantity'
  | 'duplicate_selection'
  | 'too_few_selections'
  | 'too_many_selections'
  | 'nested_too_deep'
  | 'no_common_tender';

/** One reason why the service would refuse a cart item. */
export interface MenuProblem {
  /** Which rule is broken; branch on it, and show your own text. */
  readonly rule: MenuRule;
  /** Where in the request, as the service writes its paths: `modifier_selections[0].nested_selections[1]`. */
  readonly field: string;
  /** What the menu allows: a count, sale hours such as `06:00-11:00`, tenders; `null` where the rule has no figure. */
  readonly limit: number | string | readonly string[] | null;
  /** What the request has, in the terms of `limit`. */
  readonly actual: number | string | readonly string[] | null;
  /** What is wrong and what to do, with the names of the menu; for developers and as a draft for a user interface. */
  readonly message: string;
  /**
   * False for `no_common_tender`: the service plans to enforce tenders and does not yet, so that it accepts the cart and
   * the customer finds out when paying. True for every other rule: the service refuses the request.
   */
  readonly enforced: boolean;
}

/** A problem of a rule that the service enforces. */
export function problem(
  rule: MenuRule,
  field: string,
  message: string,
  figures: { limit?: MenuProblem['limit']; actual?: MenuProblem['actual'] } = {},
): MenuProblem {
  return { rule, field, limit: figures.limit ?? null, actual: figures.actual ?? null, message, enforced: true };
}
