export { createMcpAccess, type McpAccess, type McpAccessOptions, type McpAdmission, type McpState } from "./access.ts";
