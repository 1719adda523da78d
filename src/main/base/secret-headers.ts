/** Headers that hold keys, in lower case: no log shows them, and no rule sees them. */
export const secretHeaders: ReadonlySet<string> = new Set([
  "authorization",
  "proxy-authorization",
  "cookie",
  "x-api-key",
  "x-goog-api-key",
  "api-key",
]);
