import { readFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, expect, it } from "vitest";
import { enlargePng, samplePictures } from "../build/testing/sample-pictures.ts";
import { type AppFixture, connectPort, openApp, type RpcClient, upload } from "./testing/app-fixture.ts";

const embed = (bytes: Buffer, type = "image/png") => `data:${type};base64,${bytes.toString("base64")}`;
const address = "https://pictures.example/a.png?key=1";
/** As services sign addresses of pictures. */
const signed = `https://d.example/a.png?signature=${"d".repeat(2_500)}`;
const bomb = Buffer.from(samplePictures.png);
bomb.writeUInt32BE(60_000, 16);
bomb.writeUInt32BE(60_000, 20);

/** The pictures of each line. */
const sent: readonly (readonly string[])[] = [
  [embed(samplePictures.png), address],
  [],
  [embed(enlargePng(samplePictures.png, 7_000_000))],
  [embed(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), "image/svg+xml")],
  ["data:text/html,<script>"],
  [embed(bomb)],
  ["/home/ann/cat.png"],
  [` ${embed(samplePictures.png, "image/png ")}\n`, "https://pictures.example/\nb.png", "iVBORw0K".repeat(1_000)],
  [`data:image/png;${"p".repeat(3_000)},`, `https://c.example/${"c".repeat(9_000)}`, signed],
];
/** What the pictures of each line are called; undefined without any. */
const names = [
  `image/png, 70 B\n${address}`,
  undefined,
  "image/png, 7 MB",
  "image/svg+xml, 41 B",
  "text/html, 8 B",
  "image/png, 70 B",
  "/home/ann/cat.png",
  "image/png, 70 B\nhttps://pictures.example/ b.png\ndata, 8 kB",
  expect.stringMatching(/^data, 3.02 kB\nhttps:..c.example.c{100,7982}…(?:\nhttps:..d.example.*)?$/),
];

let fixture: AppFixture;
let client: RpcClient;
let batchId = "";

beforeAll(async () => {
  fixture = await openApp();
  ({ client } = connectPort(fixture.app));
  const lines = sent.map((urls, at) => {
    const parts = urls.map((url) => ({ type: "image_url", image_url: { url } }));
    const messages = [{ role: "user", content: [{ type: "text", text: `What is in ${at}?` }, ...parts] }];
    const body = { model: "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo", messages };
    return `${JSON.stringify({ custom_id: `r-${at + 1}`, method: "POST", url: "/v1/chat/completions", body })}\n`;
  });
  const source = await upload(client, Buffer.from(lines.join("")), "pictures.jsonl");
  const template = { messages: [], model: "", temperature: null, maxCompletionTokens: null, customId: "" };
  for await (const event of await client.build.submit({ sourceId: source.id, template, name: "Pictures" })) {
    if (event.phase === "submitted") batchId = event.batchId;
  }
  await fixture.service.batches.settled(batchId);
}, 30_000);
afterAll(() => fixture.close());

it("rows have the names of the pictures that were sent, and no row and no conversation their data", async () => {
  const { rows } = await client.results.page({ batchId, offset: 0, limit: 10 });
  expect(rows.map(({ picture }) => picture)).toEqual(names);
  expect(JSON.stringify(rows)).not.toContain("base64");
  for (const line of [8, 9]) {
    const { messages } = await client.results.line({ batchId, line });
    expect(JSON.stringify(messages)).not.toMatch(/(iVBORw0K){2}|c{7983}|p{2000}/);
  }
  const detail = await client.results.line({ batchId, line: 3 });
  expect(JSON.stringify(detail.messages).length).toBeLessThan(300);
  expect(await client.results.sourceColumns({ batchId })).toMatchObject({ pictures: ["picture"] });
});

it("each picture is shown, or refused with its name and the reason", async () => {
  const show = (line: number, place = 0, small = false) => client.results.picture({ batchId, line, place, small });
  expect(await show(1)).toEqual({ name: "image/png, 70 B", url: sent[0]?.[0], problem: null });
  expect(await show(1, 1)).toEqual({ name: address, url: null, problem: null });
  expect(await show(3)).toMatchObject({ url: sent[2]?.[0] });
  expect(await show(8)).toMatchObject({ name: "image/png, 70 B", problem: null });
  expect(await show(9, 1)).toEqual({ name: `https://c.example/${"c".repeat(7_982)}…`, url: null, problem: null });
  expect(await show(9, 2)).toEqual({ name: signed, url: null, problem: null });
  const refused = await Promise.all([show(3, 0, true), show(4), show(5), show(6), show(7), show(8, 2), show(2)]);
  expect(refused.map(({ url }) => url)).toEqual(refused.map(() => null));
  expect(refused.map(({ problem }) => problem)).toEqual([
    "It is too large to be shown here. Open the line to see it.",
    "It is no PNG, JPEG, GIF or WebP picture, or it is damaged.",
    "It is no picture in Base64.",
    "It has 60,000 × 60,000 pixels, too many to be shown here.",
    "It was sent as a path, whose file isn’t read.",
    "It is neither an address nor data that begins with “data:”.",
    "The request has no such picture.",
  ]);
});

it("lines are found by their pictures, and an export has them by their names", async () => {
  const columns = [{ path: "picture", op: "contains" as const, value: "a.png?key=1" }];
  expect(await client.results.numbers({ batchId, filter: { columns } })).toEqual([1]);
  const outcome = await client.exports.begin({ what: "results", batchId, format: "csv" });
  if (outcome.how !== "link") throw new Error(`The export ended with ${outcome.how}.`);
  const path = fixture.app.takeExport(outcome.href.split("/").at(-1) ?? "")?.path ?? "";
  const rows = parse(await readFile(path), { columns: true }) as Record<string, string>[];
  expect(rows.map(({ picture }) => picture)).toEqual(names.map((name) => name ?? ""));
});
