import { z } from "zod";
import { isLoopback } from "#main/base";
import { CliError, exitCodes } from "./cli-error.ts";
import { type FlagsOf, flag, negation } from "./flag.ts";
import { repeated } from "./flag-types.ts";

/** A key is sent in a header: visible ASCII characters only. */
export const apiKeySchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,256}$/, "1 to 256 visible ASCII characters without spaces");

/** The shortest key of a server that other computers reach: theirs are many, and they may guess. */
const shortestOpenKey = 16;

/** Who may reach the server, and with which key. */
export const accessFlags = {
  host: flag(
    "<ADDRESS>",
    "address to listen on; 127.0.0.1 is this machine only",
    z
      .string()
      .min(1, "an address of this machine")
      .transform((typed) => typed.replace(/^\[(.*)\]$/, "$1")),
    { default: "127.0.0.1" },
  ),
  apiKey: flag("<KEY>", "key that requests must carry", apiKeySchema, {
    otherwise: "SHEAF_API_KEY, else the one made at the first start",
    isSecret: true,
  }),
  auth: negation("ask for no key; only where other computers can't reach the server"),
  allowHost: flag(
    "<NAME>",
    "another name of this machine that clients call",
    repeated(/^[\w.-]{1,253}$/, "a host name, without a port"),
    { default: [] },
  ),
  cors: flag(
    "<ORIGIN>",
    "origin of pages that may call /v1, * for all",
    repeated(/^(\*|[a-z][a-z0-9+.-]*:\/\/[^/\s?#]+)$/i, "an origin such as https://app.example, or * for all"),
    { default: [] },
  ),
};
type AccessFlags = FlagsOf<typeof accessFlags>;

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
