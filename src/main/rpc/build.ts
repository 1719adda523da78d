import { os } from "./base.ts";

export const build = os.build.router({
  preview: os.build.preview.handler(({ context, input: { row, ...input } }) => context.build.preview(input, row)),
  check: os.build.check.handler(({ context, input, signal }) => context.build.check(input, signal)),
  submit: os.build.submit.handler(({ context, input, signal }) => context.build.submit(input, signal)),
});
