// A batch on the mock server, with Node alone. The server, in another terminal:
//   npm run -s sheaf -- serve --api-key sk-local-sheaf
import { setTimeout as wait } from "node:timers/promises";

const url = `${process.env.SHEAF_URL ?? "http://127.0.0.1:4747"}/v1`;
const headers = { authorization: `Bearer ${process.env.SHEAF_API_KEY ?? "sk-local-sheaf"}` };
const model = "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo";

async function call(path, options) {
  const response = await fetch(url + path, { headers, ...options });
  if (!response.ok) throw new Error(await response.text());
  return response;
}

const questions = {
  ducks: "Ducks lay 16 eggs a day and 7 are eaten. How many are left?",
  robe: "A robe takes 2 bolts of blue fiber and half that much white. How many bolts?",
};
const lines = Object.entries(questions).map(([custom_id, content]) =>
  JSON.stringify({
    custom_id,
    method: "POST",
    url: "/v1/chat/completions",
    body: { model, messages: [{ role: "user", content }] },
  }),
);

const form = new FormData();
form.append("purpose", "batch");
form.append("file", new Blob([lines.join("\n")]), "batch.jsonl");
const file = await (await call("/files", { method: "POST", body: form })).json();

const order = { input_file_id: file.id, endpoint: "/v1/chat/completions", completion_window: "24h" };
const json = { ...headers, "content-type": "application/json" };
let batch = await (await call("/batches", { method: "POST", headers: json, body: JSON.stringify(order) })).json();
while (["validating", "in_progress", "finalizing"].includes(batch.status)) {
  await wait(200);
  batch = await (await call(`/batches/${batch.id}`)).json();
}

console.log(`${batch.id} is ${batch.status}`);
const output = await (await call(`/files/${batch.output_file_id}/content`)).text();
for (const line of output.trimEnd().split("\n")) {
  const { custom_id, response } = JSON.parse(line);
  console.log(`${custom_id}: ${response.body.choices[0].message.content}`);
}
