import { os } from "./base.ts";

export const exports = os.exports.router({
  begin: os.exports.begin.handler(({ context, input, signal }) => context.exportFile(input, signal)),
});
