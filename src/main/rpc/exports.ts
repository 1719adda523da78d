import { os } from "./base.ts";

export const exports = os.exports.router({
  begin: os.exports.begin.handler(({ context, input, signal }) => context.exporter.begin(input, signal)),
  follow: os.exports.follow.handler(({ context, input, signal }) => context.exporter.follow(input, signal)),
  showInFolder: os.exports.showInFolder.handler(({ context, input }) => context.exporter.showInFolder(input.id)),
});
