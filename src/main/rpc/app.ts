import type { ModelView } from "#contract";
import type { Model } from "#service";
import type { BatchApi } from "../connections/index.ts";
import { os } from "./base.ts";
import { watchChanges } from "./watch-changes.ts";

function toModelView(model: Model, { models }: BatchApi): ModelView {
  const { context, output } = models.limits(model);
  const name = model.id.slice(model.id.indexOf("/") + 1);
  return { id: model.id, name, contextTokens: context, outputTokens: output };
}

export const app = os.app.router({
  info: os.app.info.handler(({ context: { api, host, version, versions, dataDir } }) => ({
    version,
    host,
    versions,
    dataDir,
    engine: api.description,
    isMock: api.isMock,
    hasBatches: api.batches.list({ limit: 1 }).batches.length > 0,
  })),
  notices: os.app.notices.handler(({ context: { notices } }) => [...notices.list()]),
  confirmDamage: os.app.confirmDamage.handler(async ({ context: { confirmDamage, notices } }) => {
    await confirmDamage();
    return [...notices.list()];
  }),
  watchDisk: os.app.watchDisk.handler(({ context: { disk }, signal }) =>
    watchChanges(
      {
        subscribe: (listener) => disk.subscribe(() => listener(disk)),
        idOf: () => "disk",
        toView: ({ failure }) => ({ failure: failure?.message ?? null }),
        initial: disk,
      },
      signal,
    ),
  ),
  models: os.app.models.handler(({ context: { api } }) => api.models.list().map((model) => toModelView(model, api))),
  licenses: os.app.licenses.handler(({ context }) => context.readLicenses()),
  diagnostics: os.app.diagnostics.handler(({ context }) => context.readDiagnostics()),
});
