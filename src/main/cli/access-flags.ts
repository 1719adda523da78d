import { isIP } from "node:net";
import type { Command } from "commander";
import { z } from "zod";
import { CliError, exitCodes } from "./cli-error.ts";
import { collect } from "./engine-flags.ts";

/** A key is sent in a header: visible ASCII characters only. */
export const apiKeySchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,256}$/, "1 to 256 visible ASCII characters without spaces");

/** The shortest key of a server that other computers reach: theirs are many, and they may guess. */
const shortestOpenKey = 16;

const hostExpected = "a host name, without a port";
const originExpected = "an origin such as https://app.example, or * for all";

/** Who may reach the server, and with which key. */
export const accessFlags = {
  host: z
    .string()
    .min(1, "an address of this machine")
    .default("127.0.0.1")
    .transform((text) => text.replace(/^\[(.*)\]$/, "$1")),
  apiKey: apiKeySchema.optional(),
  auth: z.boolean().default(true),
  allowHost: z.array(z.string().regex(/^[\w.-]{1,253}$/, hostExpected), hostExpected).default([]),
  cors: z
    .array(z.string().regex(/^(\*|[a-z][a-z0-9+.-]*:\/\/[^/\s?#]+)$/i, originExpected), originExpected)
    .default([]),
};
type AccessFlags = z.infer<z.ZodObject<typeof accessFlags>>;

export function withAccess(command: Command): Command {
  return command
    .option("--host <ADDRESS>", "address to listen on (default: 127.0.0.1, this machine only)")
    .option(
      "--api-key <KEY>",
      "key that requests must carry (default: SHEAF_API_KEY, else the one that was made at the first start)",
    )
    .option("--no-auth", "ask for no key; only where other computers can't reach the server")
    .option("--allow-host <NAME>", "another name under which this machine is called; may be repeated", collect)
    .option("--cors <ORIGIN>", "origin of pages that may call /v1, * for all; may be repeated", collect);
}

/**
 * Checks what the flags allow together.
 * @param key the one that was given, null for one that the server makes itself
 * @throws CliError for a server that strangers could use
 */
export function checkAccess(
  { host, apiKey, auth, cors }: AccessFlags,
  { key, asksUpstream }: { key: string | null; asksUpstream: boolean },
): void {
  const refuse = (message: string) => {
    throw new CliError(message, exitCodes.unusable);
  };
  if (!auth && apiKey !== undefined) refuse("--no-auth asks for no key: leave out --api-key.");
  if (!auth && !isLoopback(host)) {
    refuse(`--no-auth is for this machine alone: anyone could use a server on ${host}. Leave out --host or --no-auth.`);
  }
  if (!auth && asksUpstream && cors.includes("*")) {
    refuse(
      "--cors '*' and --no-auth would let any page ask the upstream, at your cost. Name the origins, or ask for a key.",
    );
  }
  if (!isLoopback(host) && auth && key !== null && key.length < shortestOpenKey) {
    refuse(`A server on ${host} can be reached by others: its key needs ${shortestOpenKey} characters or more.`);
  }
}

/** Whether nothing but this machine reaches what listens on the address. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}
