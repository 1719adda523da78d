import type { CodeSample } from "./code-tabs.tsx";

const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";
const content = "Why is the sky blue?";

/**
 * A first call of the server, ready to be pasted. Without a key it is taken from the environment.
 *
 * @param url the server's address, without `/v1`
 */
export function writeSnippets(url: string, key: string | null): readonly CodeSample[] {
  const needs = key === null ? " The key comes from SHEAF_API_KEY." : "";
  return [
    { name: "curl", note: `For a terminal.${needs}`, code: writeCurl(url, key) },
    { name: "Python", note: `With the standard library alone.${needs}`, code: writePython(url, key) },
    { name: "JavaScript", note: `For Node, as a module (.mjs).${needs}`, code: writeJavaScript(url, key) },
  ];
}

function writeCurl(url: string, key: string | null): string {
  return [
    `curl ${url}/v1/chat/completions \\`,
    key === null
      ? '  --header "Authorization: Bearer $SHEAF_API_KEY" \\'
      : `  --header 'Authorization: Bearer ${key}' \\`,
    "  --header 'Content-Type: application/json' \\",
    "  --data '{",
    `    "model": "${model}",`,
    '    "messages": [',
    `      { "role": "user", "content": "${content}" }`,
    "    ]",
    "  }'",
  ].join("\n");
}

function writePython(url: string, key: string | null): string {
  return `import json
${key === null ? "import os\n" : ""}import urllib.request

key = ${key === null ? 'os.environ["SHEAF_API_KEY"]' : JSON.stringify(key)}
headers = {
    "Authorization": f"Bearer {key}",
    "Content-Type": "application/json",
}
body = {
    "model": "${model}",
    "messages": [
        {"role": "user", "content": "${content}"}
    ],
}
request = urllib.request.Request(
    "${url}/v1/chat/completions",
    data=json.dumps(body).encode(),
    headers=headers,
)
with urllib.request.urlopen(request) as response:
    answer = json.load(response)
print(answer["choices"][0]["message"]["content"])
`;
}

function writeJavaScript(url: string, key: string | null): string {
  return `const url = "${url}/v1/chat/completions";
const key = ${key === null ? "process.env.SHEAF_API_KEY" : JSON.stringify(key)};
const headers = {
  authorization: \`Bearer \${key}\`,
  "content-type": "application/json",
};
const body = JSON.stringify({
  model: "${model}",
  messages: [
    { role: "user", content: "${content}" },
  ],
});
const response = await fetch(url, { method: "POST", headers, body });
const { choices } = await response.json();
console.log(choices[0].message.content);
`;
}

/**
 * Settings for common MCP clients, ready to be pasted. Without a token each names the place for it as that client does:
 * a variable, a question, or words to be replaced.
 */
export function writeSettings(url: string, token: string | null): readonly CodeSample[] {
  return [
    {
      name: "Claude Code",
      note: token === null ? "For a terminal. The token comes from MCP_TOKEN." : "For a terminal.",
      code: [
        "claude mcp add --transport http sheaf \\",
        `  ${url} \\`,
        token === null
          ? '  --header "Authorization: Bearer $MCP_TOKEN"'
          : `  --header 'Authorization: Bearer ${token}'`,
      ].join("\n"),
    },
    {
      name: "Claude Desktop",
      note: "In claude_desktop_config.json (Settings, Developer, Edit config). It starts a bridge with Node’s npx.",
      code: toJson({
        mcpServers: {
          sheaf: {
            command: "npx",
            args: [
              "-y",
              "mcp-remote",
              url,
              "--allow-http",
              "--header",
              `Authorization:${reference("SHEAF_AUTHORIZATION")}`,
            ],
            env: { SHEAF_AUTHORIZATION: `Bearer ${token ?? placeholder}` },
          },
        },
      }),
    },
    {
      name: "Cursor",
      note: `In ~/.cursor/mcp.json, or .cursor/mcp.json of a project.${token === null ? " The token comes from MCP_TOKEN." : ""}`,
      code: toJson({
        mcpServers: { sheaf: { url, headers: { Authorization: `Bearer ${token ?? reference("env:MCP_TOKEN")}` } } },
      }),
    },
    {
      name: "VS Code",
      note: `In .vscode/mcp.json.${token === null ? " VS Code asks for the token once, and keeps it." : ""}`,
      code: toJson({
        servers: {
          sheaf: { type: "http", url, headers: { Authorization: `Bearer ${token ?? reference("input:sheaf-token")}` } },
        },
        ...(token === null
          ? { inputs: [{ type: "promptString", id: "sheaf-token", description: "MCP token of Sheaf", password: true }] }
          : {}),
      }),
    },
    {
      name: "Other",
      note: "For clients that read mcpServers and speak Streamable HTTP.",
      code: toJson({
        mcpServers: { sheaf: { type: "http", url, headers: { Authorization: `Bearer ${token ?? placeholder}` } } },
      }),
    },
  ];
}

/** What the client replaces by a value. */
const reference = (name: string) => `\${${name}}`;

const placeholder = "YOUR_MCP_TOKEN";

function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
