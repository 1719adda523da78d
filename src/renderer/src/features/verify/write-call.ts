import type { VerifyInput, VerifyResult } from "#contract";

/** The call of the MCP tool that verifies these texts (JSON-RPC 2.0, `tools/call`). */
export function writeCall({ prompt, response, document, strict, form }: VerifyInput) {
  const texts = { prompt, response, ...(document !== null && { documentContent: document }) };
  return {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name: document === null ? "verify" : "verify_document",
      arguments: { ...texts, ...(strict && { strict }), ...(form === false && { form }) },
    },
  };
}

/** The endpoint's answer to that call: the result, and the same as text. */
export function writeAnswer(result: VerifyResult) {
  return {
    jsonrpc: "2.0",
    id: 1,
    result: { structuredContent: result, content: [{ type: "text", text: JSON.stringify(result) }] },
  };
}

/** The same call for a POSIX shell. The texts are passed by standard input, where no character has to be escaped. */
export function writeCurl(input: VerifyInput, url: string): string {
  return [
    `curl ${url} \\`,
    '  --header "Authorization: Bearer $MCP_TOKEN" \\',
    "  --header 'Content-Type: application/json' \\",
    "  --header 'Accept: application/json, text/event-stream' \\",
    "  --data-binary @- <<'END'",
    JSON.stringify(writeCall(input)),
    "END",
  ].join("\n");
}
