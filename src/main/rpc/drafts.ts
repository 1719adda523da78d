import { os } from "./base.ts";

export const drafts = os.drafts.router({
  list: os.drafts.list.handler(({ context }) => context.build.drafts.list()),
  create: os.drafts.create.handler(({ context, input }) => context.build.drafts.create(input.name)),
  get: os.drafts.get.handler(({ context, input }) => context.build.drafts.get(input.id)),
  save: os.drafts.save.handler(({ context, input }) => context.build.drafts.save(input)),
  remove: os.drafts.remove.handler(async ({ context, input }) => {
    await context.build.drafts.remove(input.id);
  }),
});
