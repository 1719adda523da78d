import { shortModelName } from "../../components/index.ts";

/** The models of a batch in one cell: the most frequent one, and how many more. */
export function describeModels(models: readonly string[]): string {
  const [first, ...others] = models;
  if (first === undefined) return "";
  return others.length === 0 ? shortModelName(first) : `${shortModelName(first)} and ${others.length} more`;
}
