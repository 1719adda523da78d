/** The models of a draft: the one that answers, "" for none, and those to compare it with. */
export interface ChosenModels {
  readonly model: string;
  readonly otherModels: readonly string[];
}

/**
 * The models that stay chosen once another connection has listed those that it offers; null when all do. `before`: as
 * they were when the connection was chosen. One that was typed while the list was loading was meant for this connection
 * and stays, whether it is listed or not.
 */
export function keepModels(
  before: ChosenModels,
  { model, otherModels }: ChosenModels,
  offered: readonly string[],
): { model: string; otherModels: string[] } | null {
  const isKept = (name: string) =>
    offered.includes(name) || (name !== before.model && !before.otherModels.includes(name));
  const kept = { model: isKept(model) ? model : "", otherModels: otherModels.filter(isKept) };
  return kept.model === model && kept.otherModels.length === otherModels.length ? null : kept;
}
