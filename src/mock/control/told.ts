/**
 * A control of which each use that changes something is told, to whoever shows it.
 *
 * @param changing - Names of its methods that change something.
 */
export function told<Control extends object>(
  control: Control,
  changing: readonly (string & keyof Control)[],
  tell: () => void,
): Control {
  const isChanging: ReadonlySet<string | symbol> = new Set(changing);
  return new Proxy(control, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (!isChanging.has(name)) return value.bind(target);
      return (...values: unknown[]): unknown => {
        const result: unknown = value.apply(target, values);
        tell();
        return result;
      };
    },
  });
}
