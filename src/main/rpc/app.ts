import type { ModelView } from "#contract";
import type { Model } from "#main/requests";
import type { Service } from "#main/service";
import { os } from "./base.ts";
import { watchChanges } from "./watch-changes.ts";

function toModelView(model: Model, { models }: Service): ModelView {
  const { context, output } = models.limits(model);
  const name = model.id.slice(model.id.indexOf("/") + 1);
  return { id: model.id, name, contextTokens: context, outputTokens: output };
}

export const app = os.app.router({
  info: os.app.info.handler(({ context: { service, host, version, versions } }) => ({
    version,
    host,
    versions,
    engine: `Requests are answered on this computer (${service.engine.description}).`,
    isMock: service.engine.isMock === true,
    hasBatches: service.batches.list({ limit: 1 }).batches.length > 0,
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
  models: os.app.models.handler(({ context: { service } }) =>
    service.models.list().map((model) => toModelView(model, service)),
  ),
  licenses: os.app.licenses.handler(({ context }) => context.readLicenses()),
  diagnostics: os.app.diagnostics.handler(({ context }) => context.readDiagnostics()),
});
