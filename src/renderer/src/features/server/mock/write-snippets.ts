import type { CodeSample } from "../code/code-tabs.tsx";

const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";
const content = "How many days has a leap year?";

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
    `    "messages": [{ "role": "user", "content": "${content}" }]`,
    "  }'",
  ].join("\n");
}

function writePython(url: string, key: string | null): string {
  return `import json
import os
import urllib.request

key = ${key === null ? 'os.environ["SHEAF_API_KEY"]' : JSON.stringify(key)}
body = {
    "model": "${model}",
    "messages": [{"role": "user", "content": "${content}"}],
}
request = urllib.request.Request(
    "${url}/v1/chat/completions",
    data=json.dumps(body).encode(),
    headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
)
with urllib.request.urlopen(request) as response:
    print(json.load(response)["choices"][0]["message"]["content"])
`.replace(key === null ? "" : "import os\n", "");
}

function writeJavaScript(url: string, key: string | null): string {
  return `const key = ${key === null ? "process.env.SHEAF_API_KEY" : JSON.stringify(key)};
const response = await fetch("${url}/v1/chat/completions", {
  method: "POST",
  headers: { authorization: \`Bearer \${key}\`, "content-type": "application/json" },
  body: JSON.stringify({
    model: "${model}",
    messages: [{ role: "user", content: "${content}" }],
  }),
});
const { choices } = await response.json();
console.log(choices[0].message.content);
`;
}
