export { createMcpAccess, type McpAccess, type McpAccessOptions, type McpAdmission, type McpState } from "./access.ts";
export { createMcpEndpoint, type McpEndpoint, type McpExchange } from "./endpoint.ts";
