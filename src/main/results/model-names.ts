/** Which of the models that a batch asks is the one that answered, as it calls itself; the name itself where none is. */
export function findAsked(asked: readonly string[], answered: string): string {
  if (asked.includes(answered)) return answered;
  const bare = toBareName(answered);
  const fitting = asked.filter((name) => isVersionOf(bare, toBareName(name)));
  return fitting.toSorted((a, b) => toBareName(b).length - toBareName(a).length)[0] ?? answered;
}

/** Without what stands before a slash, as in `models/gemini-2.5-pro`. */
export function toBareName(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1).toLowerCase();
}

/** Whether a model that answered is one that was asked, perhaps with a date or a version behind its name; both are bare names. */
export function isVersionOf(answered: string, asked: string): boolean {
  return answered === asked || (answered.startsWith(asked) && /^[-@:_.]/.test(answered.slice(asked.length)));
}
