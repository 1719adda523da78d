/** What stands where a draft has no name yet. */
export const namePlaceholder = "Untitled batch";

/** A draft's name, or what it is called without one. */
export function showName(name: string): string {
  return name.trim() || namePlaceholder;
}
