import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { addBodiless, type HttpApp } from "../http-app.ts";

const refusalSchema = z.object({ error: z.string(), error_description: z.string() });

/** As RFC 6749 (5.2) and RFC 7591 (3.2.2) have errors: clients show the description to their user. */
const refusal = {
  error: "invalid_request",
  error_description: "No OAuth here: send the MCP token, in the header 'Authorization: Bearer YOUR_MCP_TOKEN'.",
};

/** Where MCP clients without a token look for a way to get one, and register. They need no key to find out that there is none. */
export function addOAuthRefusals(app: HttpApp): void {
  const handler = (_request: FastifyRequest, reply: FastifyReply): void => void reply.code(404).send(refusal);
  const schema = { response: { "4XX": refusalSchema } };
  addBodiless(app, (open) => {
    open.post("/register", { schema, handler });
    open.get("/v1/mcp/.well-known/*", { schema, handler });
  });
}
