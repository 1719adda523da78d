/** Words of model ids that say nothing to the reader of a table or a list. */
const noise = new Set(["meta", "instruct", "turbo", "chat"]);

/** A model's name as one would say it: `klusterai/Meta-Llama-3.3-70B-Instruct-Turbo` is `Llama 3.3 70B`. */
export function shortModelName(id: string): string {
  const name = id.replace(/^<|>$/g, "").split("/").at(-1) ?? id;
  const words = name.split(/[-_\s]+/).filter((word) => !noise.has(word.toLowerCase()));
  return words.join(" ") || id;
}
