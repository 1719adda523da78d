/** The fields that have a value: the wires have null, or nothing, for what is not asked for. */
export function omitUnset(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}
