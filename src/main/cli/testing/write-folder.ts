import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openSecretStore } from "#main/secrets";
import { connectPort, openApp, upload } from "../../app/testing/app-fixture.ts";
import { startStandIn } from "../../connections/testing/stand-in.ts";
import { leavePassphraseFile } from "../../secrets/testing/passphrase-file.ts";
import { runSheaf } from "./sheaf-process.ts";

const table = "id,question,passage,expected\n1,Where is it?,In Paris.,Paris\n2,How high?,300 m.,300\n3,Why?,So.,So\n";
const model = "klusterai/Meta-Llama-3.3-70B-Instruct-Turbo";
const passphrase = "correct horse battery";

const folderEnv = { SHEAF_SECRETS: "file", SHEAF_PASSPHRASE: passphrase };

/** A small data folder with something of everything: two batches of a table, verdicts, grades, a draft, settings, keys and a job. */
export async function writeFolder(dataDir: string): Promise<{ readonly batchIds: readonly string[] }> {
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const source = { canRepeat: false, ask: async () => passphrase };
  await leavePassphraseFile(dataDir, passphrase);
  const secrets = await openSecretStore({ choice: "file", dataDir, logger, passphrase: source });
  const { app, service, connections, close } = await openApp({ dataDir, secrets });
  const { client } = connectPort(app);
  const { id: sourceId } = await upload(client, new Uint8Array(Buffer.from(`\ufeff${table}`, "utf16le")), "towers.csv");
  const prompt = { messages: [{ role: "user" as const, content: "{{ question }}" }], model, temperature: 0 };
  const template = { ...prompt, maxCompletionTokens: 200, customId: "{{ id }}", connectionId: null };
  const draft = await client.drafts.create({ name: "Towers" });
  await client.drafts.save({ ...draft, template, sourceId });
  const rows = { take: "all", count: 100, skipFaulty: false, reuse: false, onceIdentical: false } as const;
  const batchIds: string[] = [];
  for (const name of ["Towers", "Towers again"]) {
    const asked = { ...template, maxCompletionTokens: 100 + batchIds.length };
    for await (const event of await client.build.submit({ sourceId, template: asked, name, rows })) {
      if (event.phase === "submitted") batchIds.push(event.batchId);
    }
  }
  for (const batchId of batchIds) await service.batches.settled(batchId);
  const [batchId = ""] = batchIds;
  const choice = { judge: "rules", model: null, preset: "general" } as const;
  await client.verifications.start({
    batchId,
    choice,
    document: { from: "column", column: "passage" },
    strict: false,
  });
  await service.verifications.settled(batchId);
  await client.grades.start({ batchIds: [batchId], grader: { name: "contains" }, column: "expected" });
  await service.grades.settled(batchId);
  const texts = { prompt: "What is 6 times 7?", response: "6 × 7 = 43", judge: "rules" as const, model: null };
  for (const document of [null, "Six sevens."]) await client.verifications.verifyResponse({ ...texts, document });
  // A filter by a value has it written down in a column file.
  const filter = { columns: [{ path: "answer", op: "contains" as const, value: "a" }] };
  await service.results.numbers(batchId, filter);
  await client.server.change({ tier: "free" });

  const chat = await startStandIn(() => {
    const message = { role: "assistant", content: "It stands in Paris." };
    const usage = { prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 };
    const choices = [{ index: 0, message, finish_reason: "stop" }];
    return { body: { id: "c", object: "chat.completion", created: 1, model: "small", choices, usage } };
  });
  const connection = { adapter: "chat", url: `${chat.url}/v1`, models: { "*": "small" } } as const;
  await connections.save({ ...connection, name: "Chat", preset: null }, "sk-key-of-tower-0123456789");
  await close();
  const lines = ["asked by a job", "and another"].map((content, at) => {
    const body = { model, messages: [{ role: "user", content }] };
    return JSON.stringify({ custom_id: `job-${at}`, method: "POST", url: "/v1/chat/completions", body });
  });
  await writeFile(join(dataDir, "..", "job.jsonl"), `${lines.join("\n")}\n`);
  const [input, output] = ["job.jsonl", "job-answers.jsonl"].map((name) => join(dataDir, "..", name));
  const args = ["run", input ?? "", "-o", output ?? "", "--connection", "Chat", "--data-dir", dataDir];
  const { code, stderr } = await runSheaf(args, { env: folderEnv });
  await chat.close();
  if (code !== 0) throw new Error(stderr);
  return { batchIds };
}
