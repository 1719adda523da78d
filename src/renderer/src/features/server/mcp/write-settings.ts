import type { CodeSample } from "../code/code-tabs.tsx";

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
