/** What a promise rejects with; a promise that resolves fails the test. */
export async function rejection<E = Error>(promise: PromiseLike<unknown>): Promise<E> {
  const value = await promise.then(
    (result) => ({ resolved: result }),
    (error: unknown) => ({ error }),
  );
  if ('error' in value) return value.error as E;
  throw new Error(`expected a rejection, got ${JSON.stringify(value.resolved)}`);
}
