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

const messageIdSchema = z.union([z.string(), z.number()]);

/** A message to the MCP endpoint (JSON-RPC 2.0): a request, or without an id a notification. */
export const mcpMessageSchema = z.object({
  jsonrpc: z.literal("2.0"),
  id: messageIdSchema.optional(),
  /** `tools/call` and the other methods of the Model Context Protocol. */
  method: z.string(),
  params: z.record(z.string(), z.unknown()).optional(),
});
export type McpMessage = z.infer<typeof mcpMessageSchema>;

/** An answer of the MCP endpoint (JSON-RPC 2.0). The id is null where the message has none that could be read. */
export const mcpAnswerSchema = z.union([
  z.object({ jsonrpc: z.literal("2.0"), id: messageIdSchema, result: z.record(z.string(), z.unknown()) }),
  z.object({
    jsonrpc: z.literal("2.0"),
    id: messageIdSchema.nullable(),
    error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
  }),
]);
export type McpAnswer = z.infer<typeof mcpAnswerSchema>;
