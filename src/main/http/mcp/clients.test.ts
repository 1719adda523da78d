import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { verifyResultSchema } from "#contract";
import { createManualVerifier } from "../testing/mcp-fixtures.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";

/** Judges the calls with this prompt, and takes as long as a test wants. */
const judge = createManualVerifier();
const heldPrompt = "Take your time.";
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    change: (service) => ({
      ...service,
      verifierFor(choice) {
        const verifier = service.verifierFor(choice);
        return {
          ...verifier,
          verify: (input, options) => (input.prompt === heldPrompt ? judge : verifier).verify(input, options),
        };
      },
    }),
  });
});
afterAll(async () => {
  expect(server.faults).toEqual([]);
  await server.close();
});

async function readAddress(): Promise<{ url: URL; requestInit: RequestInit; token: string }> {
  const token = await server.service.mcp.enable();
  return {
    url: new URL(`${server.url}/v1/mcp`),
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    token,
  };
}

const about = { name: "test", version: "1" };
const eras = [
  ["2025-11-25", "legacy"],
  ["2026-07-28", "auto"],
  ["2026-07-28", { pin: "2026-07-28" }],
] as const;

async function connect(mode: (typeof eras)[number][1]): Promise<Client> {
  const { url, requestInit } = await readAddress();
  const client = new Client(about, { versionNegotiation: { mode } });
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return client;
}

async function connectOld(): Promise<OldClient> {
  const { url, requestInit } = await readAddress();
  const client = new OldClient(about);
  onTestFinished(() => client.close());
  // Its optional properties are not exactly optional.
  const transport: Omit<OldTransport, "sessionId"> = new OldTransport(url, { requestInit });
  await client.connect(transport);
  return client;
}

const call = { name: "verify", arguments: { prompt: "What is 2 + 2?", response: "2 + 2 = 5." } };
const heldCall = { name: "verify", arguments: { prompt: heldPrompt, response: "So." } };

describe.each(eras)("@modelcontextprotocol/client in %s (%o)", (revision, mode) => {
  test("connects, lists the tools and calls them; the results fit their schemas", async () => {
    const client = await connect(mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(client.getInstructions()).toContain("verify_document");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["verify", "verify_document"]);
    const first = await client.callTool(call);
    expect(first.isError).not.toBe(true);
    expect(verifyResultSchema.parse(first.structuredContent)).toMatchObject(call.arguments);
    const letter = {
      prompt: "Who?",
      response: "The letter has 40 pages.",
      documentContent: "Ada Lovelace wrote the letter.",
    };
    for (const strict of [false, true]) {
      const second = await client.callTool({ name: "verify_document", arguments: { ...letter, strict } });
      expect(verifyResultSchema.parse(second.structuredContent)).toMatchObject({
        is_hallucination: strict,
        claims: [{ verdict: "not_found" }],
      });
    }
  });

  test("reads what else there is, and is told what there is not", async () => {
    const client = await connect(mode);
    const [resource] = (await client.listResources()).resources;
    const read = await client.readResource({ uri: resource?.uri ?? "" });
    expect(JSON.stringify(read.contents)).toContain("not_checkable");
    const [prompt] = (await client.listPrompts()).prompts;
    expect(JSON.stringify(await client.getPrompt({ name: prompt?.name ?? "" }))).toContain("verify_document");
    await expect(client.callTool({ name: "falsify", arguments: {} })).rejects.toMatchObject({ code: -32_602 });
    expect(await client.callTool({ name: "verify", arguments: {} })).toMatchObject({ isError: true });
  });

  test("hears of progress", async () => {
    const client = await connect(mode);
    const onprogress = vi.fn();
    const answer = client.callTool(heldCall, { onprogress });
    const held = await judge.next();
    held.progress(1, 2);
    held.finish("Done.");
    expect(await answer).toMatchObject({ structuredContent: { explanation: "Done." } });
    expect(onprogress).toHaveBeenCalledWith(expect.objectContaining({ progress: 50, total: 100 }));
  });

  test("cancels a call, which then ends", async () => {
    const client = await connect(mode);
    const cancelling = new AbortController();
    const answer = client.callTool(heldCall, { signal: cancelling.signal });
    const { signal } = await judge.next();
    cancelling.abort();
    await expect(answer).rejects.toThrow();
    await expect.poll(() => signal.aborted).toBe(true);
  });
});

describe("the client of the SDK's first major version", () => {
  test("connects, lists the tools and calls them; the results fit their schemas", async () => {
    const client = await connectOld();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["verify", "verify_document"]);
    const result = await client.callTool(call);
    expect(verifyResultSchema.parse(result.structuredContent)).toMatchObject(call.arguments);
  });

  test("hears of progress, and cancels a call, which then ends", async () => {
    const client = await connectOld();
    const cancelling = new AbortController();
    const onprogress = vi.fn();
    const answer = client.callTool(heldCall, undefined, { signal: cancelling.signal, onprogress });
    const { signal, progress } = await judge.next();
    progress(1, 2);
    await expect.poll(() => onprogress).toHaveBeenCalledWith(expect.objectContaining({ progress: 50 }));
    cancelling.abort();
    await expect(answer).rejects.toThrow();
    await expect.poll(() => signal.aborted).toBe(true);
  });
});

describe("the MCP Inspector", () => {
  const inspector = fileURLToPath(
    new URL(
      "../../../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
      import.meta.url,
    ),
  );

  async function inspect(era: string, ...more: readonly string[]): Promise<{ stdout: string; stderr: string }> {
    const { url, token } = await readAddress();
    const header = `Authorization: Bearer ${token}`;
    const where = ["--server-url", url.href, "--transport", "http", "--header", header, "--protocol-era", era];
    return await promisify(execFile)(process.execPath, [inspector, "--cli", ...where, "--format", "json", ...more]);
  }

  test("finds nothing to complain of in the tools, strictly, in both eras, and calls one", async () => {
    const args = JSON.stringify(call.arguments);
    const [calling, ...lists] = await Promise.all([
      inspect("modern", "--method", "tools/call", "--tool-name", "verify", "--tool-args-json", args),
      ...["legacy", "modern"].map((era) => inspect(era, "--method", "tools/list", "--strict")),
    ]);
    expect(JSON.parse(calling?.stdout ?? "")).toMatchObject({ result: { structuredContent: call.arguments } });
    for (const { stdout, stderr } of lists) {
      expect(stderr).toBe("");
      expect(JSON.parse(stdout)).toMatchObject({
        result: { tools: [{ name: "verify" }, { name: "verify_document" }] },
      });
    }
  });
});

test("a client that looks for OAuth without a token gets our reason for its user", async () => {
  const { url } = await readAddress();
  const authProvider: OAuthClientProvider = {
    redirectUrl: "http://127.0.0.1/callback",
    clientMetadata: { redirect_uris: ["http://127.0.0.1/callback"] },
    clientInformation: () => undefined,
    saveClientInformation: () => undefined,
    tokens: () => undefined,
    saveTokens: () => undefined,
    redirectToAuthorization: () => undefined,
    saveCodeVerifier: () => undefined,
    codeVerifier: () => "",
  };
  const transport = new StreamableHTTPClientTransport(url, { authProvider });
  const refused: unknown = await new Client(about).connect(transport).catch((error: unknown) => error);
  expect(String(refused)).toContain("No OAuth here: send the MCP token");
});
