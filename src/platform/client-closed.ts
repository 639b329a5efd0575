/**
 * Whether a call was refused because its client is closed. By name: what polls takes any client that fits, and brings none
 * of the package's own.
 */
export function isClientClosed(error: unknown): boolean {
  return (error as { readonly name?: unknown } | null | undefined)?.name === 'ClientClosedError';
}
