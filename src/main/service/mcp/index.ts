export { createMcpAccess, type McpAccess, type McpAccessOptions, type McpAdmission, type McpState } from "./access.ts";
export { createMcpEndpoint, type McpEndpoint } from "./endpoint.ts";
export type { McpExchange } from "./protocol.ts";
