import { expect, it, onTestFinished } from "vitest";
import { startChatService } from "../connections/testing/chat-service.ts";
import type { BatchNotice } from "./host.ts";
import { connectPort, openApp, upload } from "./testing/app-fixture.ts";

it("tells the host of each batch that ends, once", async () => {
  const told: BatchNotice[] = [];
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
  await expect
    .poll(() => told)
    .toEqual([{ batchId: expect.any(String), title: "“Letters” is done", body: "3 of 3 lines answered." }]);
});

it("tells the host of a batch that waits for a key, once", async () => {
  const standIn = await startChatService("sk-right");
  onTestFinished(() => standIn.close());
  const told: BatchNotice[] = [];
  const fixture = await openApp({ host: { kind: "electron", notify: (notice) => told.push(notice) } });
  onTestFinished(fixture.close);
  const { client } = connectPort(fixture.app);
  const connection = { name: "Chat", adapter: "chat" as const, preset: null, url: standIn.url };
  const { id: connectionId } = await client.connections.save({ connection, key: "sk-wrong" });
  const source = await upload(client, Buffer.from("id\na\nb\n"), "letters.csv");
  const { template } = await client.drafts.create({ connectionId });
  const messages = [{ role: "user" as const, content: "{{ id }}" }];
  const input = {
    sourceId: source.id,
    template: { ...template, messages, model: "m", customId: "{{ id }}" },
    name: "Letters",
  };
  await Array.fromAsync(await client.build.submit(input));
  await expect
    .poll(() => told)
    .toMatchObject([{ title: "“Letters” waits for a key", body: expect.stringContaining("Chat refused the key.") }]);
});
