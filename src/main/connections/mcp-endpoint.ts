import { Readable } from "node:stream";
import type { CallToolResult, Client, FetchLike } from "@modelcontextprotocol/client";
import { z } from "zod";
import {
  type Connection,
  type ConnectionMcp,
  type ConnectionVerification,
  claimSchema,
  mcpStatusSchema,
  type VerifyInput,
} from "#contract";
import { createOutgoing, hideSecret, type Machine, type Outgoing } from "#main/base";
import { limitAnswer, writeKey } from "#main/engines";
import { parseJson } from "#main/storage";
import { ConnectionError, describeErrorStatus, describeNetworkError, isMissing } from "./adapters/connection-error.ts";
import { createHttpClient, type HttpClient } from "./adapters/http-client.ts";
import { addressOf } from "./adapters/open-adapter.ts";
import { findMcpUrl } from "./connection-settings.ts";
import type { ConnectionStore } from "./connection-store.ts";

/** What a call of an endpoint needs besides the connection. */
interface McpCall {
  readonly keys: Pick<ConnectionStore, "keyOf" | "mcpTokenOf" | "keepMcpToken">;
  readonly machine: Machine;
  readonly signal: AbortSignal;
}

/** How long a status request may take, in milliseconds. */
const statusTimeout = 15_000;
/** The longest that a verification may take, in milliseconds: models may be asked about each claim. */
const verifyTimeout = 120_000;

/** The status of a connection's MCP endpoint. A token that its service issues is stored. */
export async function readMcpStatus(connection: Connection, call: McpCall): Promise<ConnectionMcp> {
  const url = findMcpUrl(connection);
  try {
    const managed = await withManagement(connection, call, (client) => readManaged(client, connection, call));
    if (managed !== null) return { ...describeSwitch(managed), url };
    return { ...(await tryEndpoint(connection, call)), url };
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    // What to do about the key is shown by the test of the connection.
    const isRefused = error.code === "key_refused";
    const message = isRefused ? "It can't be asked while the key is refused." : `${error.message} ${error.stepThere}`;
    return { state: "unknown", canSwitch: false, message, url };
  }
}

/**
 * Turns the endpoint on or off at its service, and stores the token that the service issues.
 * @throws ConnectionError when the service can't do so
 */
export async function setMcpEnabled(connection: Connection, enabled: boolean, call: McpCall): Promise<ConnectionMcp> {
  const path = enabled ? "/mcp/enable" : "/mcp/disable";
  await withManagement(connection, call, (client) =>
    client.json(path, z.unknown(), { method: "POST", signal: call.signal }),
  );
  return await readMcpStatus(connection, call);
}

function describeSwitch(isOn: boolean): Omit<ConnectionMcp, "url"> {
  const message = isOn ? "Responses can be verified there." : "It verifies nothing until it is turned on.";
  return { state: isOn ? "on" : "off", canSwitch: true, message };
}

async function withManagement<T>(
  connection: Connection,
  { keys, machine }: McpCall,
  work: (client: HttpClient) => Promise<T>,
): Promise<T> {
  const client = createHttpClient(
    addressOf(connection, { key: await keys.keyOf(connection), machine, timeout: statusTimeout }),
  );
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** Whether it is on, by the service's management API; null where there is none. */
async function readManaged(
  client: HttpClient,
  connection: Connection,
  { keys, signal }: McpCall,
): Promise<boolean | null> {
  try {
    const { enabled, apiKey, url } = await client.json("/mcp/status", mcpStatusSchema, { signal });
    const isNew = apiKey !== "" && apiKey !== (await keys.mcpTokenOf(connection));
    if (enabled && isNew && isOwnEndpoint(connection, url)) await keys.keepMcpToken(connection, apiKey);
    return enabled;
  } catch (error) {
    const hasNone = isMissing(error) || (error instanceof ConnectionError && error.code === "not_the_api");
    if (hasNone) return null;
    throw error;
  }
}

/** Whether the endpoint is the one that the service issues tokens for: at its own host, or where it reports it to be. */
function isOwnEndpoint(connection: Connection, reported: string): boolean {
  const asked = findMcpUrl(connection);
  return asked === reported || new URL(asked).origin === new URL(connection.url).origin;
}

/** The status of an endpoint without a management API, from the tools that it lists. */
async function tryEndpoint(connection: Connection, { keys, signal }: McpCall): Promise<Omit<ConnectionMcp, "url">> {
  try {
    const { tools } = await withClient(connection, keys, (client) =>
      client.listTools(undefined, { signal, timeout: statusTimeout }),
    );
    return tools.some(({ name }) => name === "verify")
      ? { state: "on", canSwitch: false, message: "Responses can be verified there." }
      : { state: "missing", canSwitch: false, message: "Its MCP endpoint has no tool that verifies." };
  } catch (error) {
    if (!isMissing(error)) throw error;
    return { state: "missing", canSwitch: false, message: "It has no MCP endpoint at this address." };
  }
}

const answerSchema = z.object({
  is_hallucination: z.boolean(),
  explanation: z.string(),
  claims: z.array(claimSchema).nullable().catch(null),
});

/**
 * Has the MCP endpoint of a connection verify a response.
 * @throws ConnectionError when there is no answer that could be read
 */
export async function verifyWithConnection(
  connection: Connection,
  { prompt, response, document, strict }: VerifyInput,
  call: McpCall,
): Promise<ConnectionVerification> {
  const { keys, machine, signal } = call;
  const start = machine.monotonic();
  const tool = {
    name: document === null ? "verify" : "verify_document",
    // Services without a strict mode may refuse an unknown argument.
    arguments: { prompt, response, ...(document !== null && { documentContent: document }), ...(strict && { strict }) },
  };
  // A service that issues tokens may have issued none yet, or a new one since.
  if ((await keys.mcpTokenOf(connection)) === null) await readMcpStatus(connection, call);
  const result = await withClient(connection, keys, (client) =>
    client.callTool(tool, { signal, timeout: verifyTimeout }),
  );
  const text = readText(result);
  const withoutToken = hideSecret(text, await keys.mcpTokenOf(connection), "[token]");
  if (result.isError === true) throw new ConnectionError("refused", connection.name, { reason: shorten(withoutToken) });
  const { data } = answerSchema.safeParse(result.structuredContent ?? parseJson(text));
  if (data === undefined) {
    const reason = "its MCP endpoint answered, but not with a verdict";
    throw new ConnectionError("not_the_api", connection.name, { reason, details: withoutToken.slice(0, 4_000) });
  }
  const { is_hallucination: isHallucination, explanation, claims } = data;
  return { isHallucination, explanation, claims, milliseconds: machine.monotonic() - start };
}

function readText({ content }: CallToolResult): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

const shorten = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text).replace(/\.\s*$/, "");

async function withClient<T>(
  connection: Connection,
  keys: McpCall["keys"],
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const token = await keys.mcpTokenOf(connection);
  const outgoing = createOutgoing({ route: connection });
  const client = new Client({ name: "sheaf", version: "1" });
  try {
    const transport = new StreamableHTTPClientTransport(new URL(findMcpUrl(connection)), {
      requestInit: { headers: writeKey(token, "authorization", "token of its MCP endpoint") },
      fetch: createFetch(outgoing),
    });
    await client.connect(transport, { timeout: statusTimeout });
    return await work(client);
  } catch (error) {
    throw describeMcpError(error, connection.name, token);
  } finally {
    await client.close().catch(() => {});
    await outgoing.close();
  }
}

/** `fetch` through the environment's proxy. It follows no redirect: the token is for this address alone. */
function createFetch(outgoing: Outgoing): FetchLike {
  return async (target, { method = "GET", headers, body, signal } = {}) => {
    const answer = await outgoing.request(new URL(target), {
      method: method === "POST" || method === "DELETE" ? method : "GET",
      headers: Object.fromEntries(new Headers(headers)),
      body: typeof body === "string" ? body : null,
      signal: signal ?? null,
    });
    const fields = Object.entries(answer.headers).flatMap(([field, value = []]) =>
      [value].flat().map((one): [string, string] => [field, one]),
    );
    const isBodiless = answer.statusCode === 204 || answer.statusCode === 304;
    const content = isBodiless ? null : (Readable.toWeb(Readable.from(limitAnswer(answer.body))) as ReadableStream);
    return new Response(content, { status: answer.statusCode, headers: fields });
  };
}

const httpErrorSchema = z.object({ data: z.object({ status: z.int(), text: z.string().optional() }) });

/** The ConnectionError for a failed call. */
function describeMcpError(error: unknown, name: string, token: string | null): unknown {
  if (error instanceof ConnectionError || (error instanceof Error && error.name === "AbortError")) return error;
  const { data: http } = httpErrorSchema.safeParse(error);
  const isRefused = error instanceof Error && error.name === "UnauthorizedError";
  const status = isRefused ? 401 : http?.data.status;
  if (status === 401 || status === 403) {
    return new ConnectionError("mcp_refused", name, { status });
  }
  const message = error instanceof Error ? error.message : String(error);
  const details = hideSecret(message, token, "[token]");
  if (status !== undefined) return describeErrorStatus(status, details, name, null);
  if (error instanceof Error && error.name === "ProtocolError") {
    return new ConnectionError("refused", name, { reason: shorten(details) });
  }
  if (error instanceof Error && "code" in error && error.code === "REQUEST_TIMEOUT") {
    return new ConnectionError("timed_out", name);
  }
  return describeNetworkError(error, name);
}
