import { expect, it, onTestFinished } from "vitest";
import { connectPort, openApp, upload } from "./testing/app-fixture.ts";

it("tells the host of each batch that ends, once", async () => {
  const told: { title: string; body: string }[] = [];
  const fixture = await openApp({ host: { kind: "electron", notify: (notice) => told.push(notice) } });
  onTestFinished(fixture.close);
  const { client } = connectPort(fixture.app);
  const source = await upload(client, Buffer.from("id\na\nb\nc\n"), "letters.csv");
  const { template } = await client.drafts.create({});
  const messages = [{ role: "user" as const, content: "{{ id }}" }];
  const input = { sourceId: source.id, template: { ...template, messages, customId: "{{ id }}" }, name: "Letters" };
  for await (const event of await client.build.submit(input)) {
    if (event.phase === "submitted") await fixture.service.batches.settled(event.batchId);
  }
  await expect.poll(() => told).toEqual([{ title: "“Letters” is done", body: "3 of 3 lines answered." }]);
});
