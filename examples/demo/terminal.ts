const WIDTH = 78;

/** Amounts end here. */
export const RECEIPT_WIDTH = 68;

/** A heading of the account. */
export function heading(text: string): void {
  console.log(`\n-- ${text} ${'-'.repeat(Math.max(0, WIDTH - text.length - 4))}`);
}

/** One line of the account. */
export function say(text: string): void {
  console.log(`   ${text}`);
}

/** Something that the client did by itself. */
export function aside(text: string): void {
  console.log(`   * ${text}`);
}

/** Something on the left, and an amount at the right edge. */
export function amountLine(text: string, amount: string): string {
  const width = RECEIPT_WIDTH - amount.length;
  return text.slice(0, width - 1).padEnd(width) + amount;
}
