export { dialects } from "./dialect.ts";
export type { HttpApp } from "./http-app.ts";
export { listen } from "./listen.ts";
export { openHttpApp, preloadHttpApp } from "./open-http-app.ts";
export { createRequestLog, type RequestLog } from "./request-log.ts";
export {
  createWebhookSecret,
  findSecretProblem,
  readWebhookUrl,
  type WebhookSettings,
  webhookUrlExpected,
} from "./webhook-settings.ts";
export { toWireBatch } from "./wire.ts";
