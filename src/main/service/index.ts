export { createService, type Service } from "./create-service.ts";
export type { McpAccess } from "./mcp-access.ts";
export type { ServiceOptions, ServiceSettings } from "./options.ts";
