import type { Engine } from "#main/base";
import { ServiceError } from "#main/base";
import type { ModelCatalog } from "#main/requests";

/** What a model that judges or grades is asked through. */
export interface ModelSources {
  readonly engine: Engine;
  readonly models: ModelCatalog;
  /** What asks the models of a connection; none by default. */
  readonly engineAt?: (connectionId: string) => Engine;
}

interface ModelChoice {
  readonly model: string;
  readonly connectionId?: string | undefined;
}

/**
 * The engine that a model is asked through, and its name there. Whatever a server calls a model is one: it is not looked up in
 * the models of the service, but for its aliases.
 * @throws ServiceError when the engine makes its answers up
 */
export function findModel(
  { model, connectionId }: ModelChoice,
  { engine, models, engineAt }: ModelSources,
  purpose: "judge" | "grade",
): { readonly engine: Engine; readonly model: string } {
  const remote = connectionId === undefined ? undefined : engineAt?.(connectionId);
  if (remote !== undefined) return { engine: remote, model };
  if (engine.isMock !== true) return { engine, model: models.find(model)?.id ?? model };
  const results = purpose === "judge" ? "verdicts" : "grades";
  const message = `A model can't ${purpose} here: the mock engine would answer for it, and makes its answers up, so that its ${results} would mean nothing.`;
  throw new ServiceError("invalid_value", message, "model");
}
