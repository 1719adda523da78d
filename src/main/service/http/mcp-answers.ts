import { z } from "zod";
import { errorBodySchema, mcpAnswerSchema } from "#contract";

const events = { "text/event-stream": { schema: z.string() } };
const failure = z.union([mcpAnswerSchema, errorBodySchema]);

/** What `POST /v1/mcp` answers, for readers of the API description. */
export const answersOfMcp = {
  200: {
    description: "The answer; as a stream where the client asked to hear of progress.",
    content: { "application/json": { schema: z.union([mcpAnswerSchema, z.array(mcpAnswerSchema)]) }, ...events },
  },
  202: z.null().describe("Taken note of: a notification."),
  "4XX": {
    description: "What is wrong with the message (JSON-RPC), or with the request around it.",
    content: { "application/json": { schema: failure } },
  },
  "5XX": {
    description: "A fault of the server. Its log has the details.",
    content: { "application/json": { schema: failure } },
  },
};
