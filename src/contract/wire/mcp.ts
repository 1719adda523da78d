import { z } from "zod";

/** Answer of `GET /v1/mcp/status` and of `POST /v1/mcp/disable`: all empty while disabled. */
export const mcpStatusSchema = z.object({
  enabled: z.boolean(),
  /** Address of the MCP endpoint. */
  url: z.string(),
  /** The MCP token. */
  apiKey: z.string(),
});
export type McpStatus = z.infer<typeof mcpStatusSchema>;

/** Answer of `POST /v1/mcp/enable`. */
export const mcpEnabledSchema = z.object({
  enabled: z.literal(true),
  url: z.string(),
  /** The MCP token. */
  token: z.string(),
});
export type McpEnabled = z.infer<typeof mcpEnabledSchema>;
