import { findOwnFile } from "#app-paths";
import type { ReuseCount } from "#contract";
import { estimateCost, findPrices, openLinePrice, pricesDate, sumCosts } from "#main/connections";
import { os } from "./base.ts";
import { requireDesktop } from "./desktop.ts";

/** The tables that requests are built from. */
export const sources = os.sources.router({
  begin: os.sources.begin.handler(({ context, input }) => context.build.sources.begin(input.name)),
  append: os.sources.append.handler(async ({ context, input: { id, offset, chunk } }) =>
    context.build.sources.append(id, offset, await chunk.bytes()),
  ),
  finish: os.sources.finish.handler(({ context, input, signal }) => context.build.sources.finish(input.id, signal)),
  discard: os.sources.discard.handler(({ context, input }) => context.build.sources.remove(input.id)),
  get: os.sources.get.handler(({ context, input }) => context.build.sources.get(input.id)),
  setLayout: os.sources.setLayout.handler(({ context, input: { id, ...layout } }) =>
    context.build.sources.setLayout(id, layout),
  ),
  head: os.sources.head.handler(({ context, input }) => context.build.sources.head(input.id)),
  editLine: os.sources.editLine.handler(({ context, input }) =>
    context.build.sources.editLine(input.id, input.line, input.text),
  ),
  values: os.sources.values.handler(({ context, input }) => context.build.sources.values(input.id, input.path)),
  setReplacements: os.sources.setReplacements.handler(({ context, input }) =>
    context.build.sources.setReplacements(input.id, input.replacements),
  ),
  rows: os.sources.rows.handler(({ context, input }) =>
    context.build.sources.rows(input.id, input.offset, input.limit),
  ),
  open: os.sources.open.handler(({ context, input, signal }) => {
    const { path, name } = requireDesktop(context).findOpened(input.id);
    return context.build.sources.copy(path, name, signal);
  }),
  example: os.sources.example.handler(({ context: { build }, input }) => {
    const file = `${input.name}.jsonl`;
    return build.sources.add(findOwnFile(`examples/${file}`), file);
  }),
});

/** The batches that are being built. */
export const drafts = os.drafts.router({
  list: os.drafts.list.handler(({ context }) => context.build.drafts.list()),
  create: os.drafts.create.handler(({ context, input }) => context.build.drafts.create(input.name, input.connectionId)),
  fromBatch: os.drafts.fromBatch.handler(({ context, input }) => context.build.draftFromBatch(input.batchId, input.as)),
  get: os.drafts.get.handler(({ context, input }) => context.build.drafts.get(input.id)),
  save: os.drafts.save.handler(({ context, input }) => context.build.drafts.save(input)),
  remove: os.drafts.remove.handler(async ({ context, input }) => {
    await context.build.drafts.remove(input.id);
  }),
});

/** The products of a table and a draft: the preview of a row, the check of all rows, a batch. */
export const build = os.build.router({
  trial: os.build.trial.handler(({ context, input, signal }) => context.build.trial(input, signal)),
  trials: os.build.trials.handler(({ context, input }) => context.build.trials(input.draftId)),
  trySchema: os.build.trySchema.handler(({ context, input }) => context.build.trySchema(input)),
  cost: os.build.cost.handler(async ({ context, input: { connectionId, isDirect, jobs, ...trial } }) => {
    const connection = await context.connections.find(connectionId);
    if (connection === undefined) return null;
    const price = await openLinePrice(connection, { isDirect });
    const estimate = sumCosts(jobs.map((job) => estimateCost({ ...job, ...trial }, price)));
    if (estimate.lines === 0 && estimate.unknown > 0) return null;
    const asked = new Set(jobs.flatMap(({ model, prompts }) => prompts.map((group) => group.model ?? model)));
    const day = new Date(context.machine.wall());
    const { models } = await findPrices(connection, { models: [...asked], isDirect, day });
    const [factor = 1, ...others] = new Set(models.map((one) => one.factor));
    return {
      ...estimate,
      factor: others.length === 0 ? factor : null,
      pricesDate: models.some(({ source }) => source.kind === "list") ? pricesDate : null,
    };
  }),
  countReusable: os.build.countReusable.handler(async ({ context, input, signal }) => {
    const counts: ReuseCount[] = [];
    for (const batch of input) counts.push(await context.build.countReusable(batch, signal));
    return counts;
  }),
  preview: os.build.preview.handler(({ context, input: { row, ...input } }) => context.build.preview(input, row)),
  pictures: os.build.pictures.handler(({ context, input, signal }) => context.build.pictures(input, signal)),
  check: os.build.check.handler(({ context, input, signal }) => context.build.check(input, signal)),
  submit: os.build.submit.handler(({ context, input, signal }) => context.build.submit(input, signal)),
});
