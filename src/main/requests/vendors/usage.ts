/** A count of a usage, or of its details, which engines have or have not. */
export function readCount(of: unknown, name: string): number | null {
  const count: unknown = typeof of === "object" && of !== null ? Reflect.get(of, name) : null;
  return typeof count === "number" ? count : null;
}
