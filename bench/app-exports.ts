/** What an export takes in the app, for a batch that was made of a table: its rows are read next to the answers. */
import { stat } from "node:fs/promises";
import { connectPort, openApp, upload } from "../src/main/app/testing/app-fixture.ts";
import { createTestEngine, replyTo } from "../src/main/service/testing/index.ts";

/** Exports a batch of so many rows, and prints how long that takes: in the order of the input, and sorted. */
export async function measureAppExports(rows: number, toLetter: (row: number) => string): Promise<void> {
  const fixture = await openApp({ ownThreads: true, engine: createTestEngine(replyTo) });
  try {
    const { client } = connectPort(fixture.app);
    const records = Array.from({ length: rows }, (_, row) => `r-${row},${toLetter(row)},${row % 7}`);
    const source = await upload(client, Buffer.from(`id,letter,stars\n${records.join("\n")}\n`), "letters.csv");
    const template = {
      messages: [{ role: "user" as const, content: "{{ letter }}" }],
      model: "klusterai/Meta-Llama-3.3-70B-Instruct-Turbo",
      temperature: 0,
      maxCompletionTokens: 200,
      customId: "{{ id }}",
    };
    let batchId = "";
    for await (const event of await client.build.submit({ sourceId: source.id, template, name: "Letters" })) {
      if (event.phase === "submitted") batchId = event.batchId;
    }
    await fixture.service.batches.settled(batchId);
    const orders = [
      ["in the order of the input", undefined],
      ["sorted", { by: "source.letter", descending: true }],
    ] as const;
    for (const [order, sort] of orders) {
      const start = performance.now();
      const request = { what: "results", batchId, format: "xlsx", ...(sort && { sort }) } as const;
      for await (const event of await client.exports.follow(request)) {
        if (event.how !== "link") continue;
        const file = fixture.app.takeExport(event.href.split("/").at(-1) ?? "");
        const megabytes = ((await stat(file?.path ?? "")).size / 1e6).toFixed(0);
        const seconds = ((performance.now() - start) / 1_000).toFixed(1);
        console.log(`xlsx in the app, ${rows} rows ${order}: ${seconds} s, ${megabytes} MB written`);
      }
    }
  } finally {
    await fixture.close();
  }
}
