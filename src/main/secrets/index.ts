export { ensureApiKey, makeApiKey } from "./api-key.ts";
