import { z } from "zod";

/** What the process for the keychain sends when it is there to be asked. */
export const keychainReady = "ready";

const callSchema = z.discriminatedUnion("do", [
  z.object({ do: z.literal("get"), account: z.string() }),
  z.object({ do: z.literal("set"), account: z.string(), value: z.string() }),
  z.object({ do: z.literal("remove"), account: z.string() }),
]);

/** What the process for the keychain is asked: calls that it makes one after the other, up to the first that fails. */
export const keychainRequestSchema = z.object({ service: z.string(), calls: z.array(callSchema) });
export type KeychainRequest = z.infer<typeof keychainRequestSchema>;
export type KeychainCall = z.infer<typeof callSchema>;

/** A value for each `get`, null for any other call and for what is not there; or why it went no further. */
export const keychainReplySchema = z.union([
  z.object({ values: z.array(z.string().nullable()) }),
  z.object({ failure: z.enum(["not_installed", "failed"]), reason: z.string() }),
]);
export type KeychainReply = z.infer<typeof keychainReplySchema>;
