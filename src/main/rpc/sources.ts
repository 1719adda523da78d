import { join } from "node:path";
import { os } from "./base.ts";

export const sources = os.sources.router({
  begin: os.sources.begin.handler(({ context, input }) => context.build.sources.begin(input.name)),
  append: os.sources.append.handler(async ({ context, input: { id, offset, chunk } }) =>
    context.build.sources.append(id, offset, await chunk.bytes()),
  ),
  finish: os.sources.finish.handler(({ context, input, signal }) => context.build.sources.finish(input.id, signal)),
  discard: os.sources.discard.handler(({ context, input }) => context.build.sources.remove(input.id)),
  get: os.sources.get.handler(({ context, input }) => context.build.sources.get(input.id)),
  setLayout: os.sources.setLayout.handler(({ context, input }) => context.build.sources.setLayout(input.id, input.csv)),
  rows: os.sources.rows.handler(({ context, input }) =>
    context.build.sources.rows(input.id, input.offset, input.limit),
  ),
  example: os.sources.example.handler(({ context: { build, examplesFolder }, input }) => {
    const file = `${input.name}.jsonl`;
    return build.sources.add(join(examplesFolder, file), file);
  }),
});
