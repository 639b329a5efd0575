/** One page of a list. */
export function page(data: readonly unknown[], nextCursor: string | null = null, hasMore = nextCursor !== null) {
  return { data, pagination: { has_more: hasMore, next_cursor: nextCursor } };
}

/** The error envelope. */
export function envelope(code: string, message: string, rest: Record<string, unknown> = {}) {
  return {
    error: { code, message, detail: '', request_id: 'b0b6c5c4-1f0e-4a3d-9c2b-7e6f5a4d3c2b', field: null, ...rest },
  };
}
