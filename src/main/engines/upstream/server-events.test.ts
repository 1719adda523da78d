import { expect, test } from "vitest";
import { listEvents, readData, readEvents } from "./server-events.ts";

const ofLines = (...lines: readonly string[]) => lines.join("\n");
const events = [
  ofLines(": café 🥐", "", ""),
  ofLines("event: a", "id: 1", "data: é", "data:  🥐", "", ""),
  ofLines("data", "", ""),
  ofLines("data: [DONE]", "", ""),
];
const data = [null, "é\n 🥐", null, "[DONE]"];

async function* send(...pieces: readonly Uint8Array[]) {
  yield* pieces;
}

async function readAll(...pieces: readonly Uint8Array[]): Promise<string[]> {
  const found: string[] = [];
  for await (const event of readEvents(send(...pieces))) found.push(event);
  return found;
}

test.each([["\n"], ["\r\n"], ["\r"]])(
  "events whose lines end with %j are the same wherever their bytes are cut",
  async (end) => {
    const wanted = events.map((event) => event.replaceAll("\n", end));
    const bytes = new TextEncoder().encode(wanted.join(""));
    expect(listEvents(wanted.join("")).map(readData).slice(0, data.length)).toEqual(data);
    expect(wanted.map(readData)).toEqual(data);
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(await readAll(bytes.subarray(0, at), bytes.subarray(at)), `${at}`).toEqual(wanted);
    }
    expect(await readAll(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(wanted);
  },
);

test("an event that breaks off is none", async () => {
  expect(await readAll(new TextEncoder().encode(`${events[3]}data: {}\n`))).toEqual([events[3]]);
});
