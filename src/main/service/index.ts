export { createService, type ServiceOptions } from "./create-service.ts";
export type { McpAccess } from "./mcp-access.ts";
export type { Service } from "./service.ts";
