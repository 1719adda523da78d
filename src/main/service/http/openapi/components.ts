import { z } from "zod";
import {
  assistantMessageSchema,
  batchErrorSchema,
  batchListSchema,
  batchSchema,
  chatCompletionChunkSchema,
  chatCompletionSchema,
  chatMessageSchema,
  chatRequestSchema,
  chatToolSchema,
  clockSchema,
  createBatchSchema,
  deletedFileSchema,
  errorBodySchema,
  faultSettingsSchema,
  fileSchema,
  loggedRequestSchema,
  modelSchema,
  toolCallSchema,
  turnClockSchema,
  usageSchema,
} from "#contract";

/** Schemas that have a name of their own in the API description; all others are written out where they stand. */
const components: Readonly<Record<string, z.ZodType>> = {
  AssistantMessage: assistantMessageSchema,
  Batch: batchSchema,
  BatchError: batchErrorSchema,
  BatchList: batchListSchema,
  ChatCompletion: chatCompletionSchema,
  ChatCompletionChunk: chatCompletionChunkSchema,
  ChatMessage: chatMessageSchema,
  ChatRequest: chatRequestSchema,
  ChatTool: chatToolSchema,
  Clock: clockSchema,
  CreateBatch: createBatchSchema,
  DeletedFile: deletedFileSchema,
  Error: errorBodySchema,
  Faults: faultSettingsSchema,
  File: fileSchema,
  LoggedRequest: loggedRequestSchema,
  Model: modelSchema,
  ToolCall: toolCallSchema,
  TurnClock: turnClockSchema,
  Usage: usageSchema,
};

for (const [id, schema] of Object.entries(components)) z.globalRegistry.add(schema, { ...schema.meta(), id });
