import { describe, expect, it } from "vitest";
import { behavioursOf, mixtureOf } from "./batch-behaviours.ts";
import { failed, ids, kinds, machine, passTime, readOn, start } from "./client-runs.ts";
import { lineBehavioursOf } from "./line-behaviours.ts";

describe.each(kinds)("%s's own client", (kind) => {
  it("plays each behaviour, each way to answer a line, and 30 mixtures", async () => {
    const { scenario, client } = await start(kind, { timeout: 300, overlongBytes: 1_000 });
    const mixtures = Array.from({ length: 30 }, (_, seed) => mixtureOf(kind, seed));
    for (const names of [...behavioursOf(kind).map((name) => [name]), ...mixtures]) {
      scenario.play(...names);
      await failed(client.create(ids));
      scenario.end();
      const id = scenario.batches.findLast(({ isForeign }) => !isForeign)?.id ?? "";
      await passTime(failed(readOn(client, kind === "gemini" ? `batches/${id}` : id, 1)));
      await failed(client.list());
      await machine.advance(1);
    }
    scenario.play("plain");
    for (const name of lineBehavioursOf(kind, "batches")) {
      scenario.playLine("q-1", name);
      const { id } = await client.create(["q-1", "q-2"]);
      scenario.end();
      const rows = await readOn(client, id, 1);
      expect(rows.map((row) => row.id).toSorted(), name).toEqual(["q-1", "q-2"]);
    }
  });
});
