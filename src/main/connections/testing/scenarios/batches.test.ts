import { describe, expect, it } from "vitest";
import { behavioursOf, mixtureOf } from "./batch-behaviours.ts";
import { answersOf, failed, ids, kinds, machine, passTime, readOn, start } from "./client-runs.ts";

/*
 * The stand-ins are as good as what the vendor's own client makes of them: each runs whole batches here, in every behaviour
 * that the tests of our adapters use.
 */

const hour = 3_600_000;

describe.each([...kinds, "azure", "groq"] as const)("%s's own client", (kind) => {
  it("runs a whole batch, which is paid once", async () => {
    const { scenario, client } = await start(kind);
    const { id } = await client.create(ids);
    expect((await client.retrieve(id)).output).toBeNull();
    scenario.end();
    const batch = await client.retrieve(id);
    const rows = await client.read(batch);
    expect(rows.map((row) => row.id).toSorted()).toEqual(ids);
    expect((await client.list()).map((other) => other.id)).toEqual([id]);
    expect(scenario.bill.audit(answersOf(rows))).toEqual({ paidTwice: [], lost: [], withheld: [], strange: [] });
    expect(scenario.bill.audit(answersOf(rows.slice(1))).lost).toEqual(["q-6"]);
    expect(scenario.bill.line("q-1")).toMatchObject({ asked: 1, paid: 1, ids: ["q-1"] });
  });

  it("ends a batch by itself after some reads, and cancels half of one", async () => {
    const { scenario, client } = await start(kind, { endsAfter: 2 });
    const { id } = await client.create(ids);
    await client.cancel(id);
    for (let time = 0; time < 3; time++) await client.retrieve(id);
    expect(answersOf(await readOn(client, id, 1))).toHaveLength(3);
    expect(scenario.bill.lines.filter(({ paid }) => paid === 1)).toHaveLength(3);
  });
});

describe.each(kinds)("%s's own client", (kind) => {
  it.each(["file: null for 3 reads", "file: empty text for 3 reads"])("is shown a file late: %s", async (name) => {
    const { scenario, client } = await start(kind);
    scenario.play(name);
    const { id } = await client.create(ids);
    scenario.end();
    for (let time = 0; time < 3; time++) expect((await client.retrieve(id)).output ?? "").toBe("");
    expect(await client.read(await client.retrieve(id))).toHaveLength(6);
  });

  it("is shown a file when the machine's time has come, or never", async () => {
    const { scenario, client } = await start(kind);
    scenario.play("file: null for 3 hours");
    const { id } = await client.create(ids);
    scenario.play("file: null");
    const { id: never } = await client.create(["q-never"]);
    scenario.end();
    expect(await readOn(client, id, 2)).toEqual([]);
    await machine.advance(3 * hour);
    expect(scenario.bill.audit([])).toMatchObject({ lost: ids, withheld: ["q-never"] });
    expect(await readOn(client, id, 1)).toHaveLength(6);
    expect(await readOn(client, never, 5)).toEqual([]);
  });

  it.each([
    ["download: 404 twice", 2, 6],
    ["download: 500 twice", 2, 6],
    ["download: empty twice", 2, 6],
    ["download: cut in a line twice", 2, 6],
    ["download: cut at a line twice", 2, 6],
    ["download: short twice", 2, 12],
    ["rows: fewer than counted", 1, 8],
    ["rows: fewer at first", 2, 14],
    ["rows: none at first", 2, 6],
  ])("reads too little at first: %s", async (name, before, rows) => {
    const { scenario, client } = await start(kind);
    scenario.play(name);
    const { id } = await client.create(ids);
    scenario.end();
    const early = answersOf(await readOn(client, id, before)).length;
    expect(new Set(answersOf(await readOn(client, id, 0))).size).toBe(0);
    const all = early + answersOf(await readOn(client, id, 1)).length;
    expect(all).toBe(rows);
  });

  it("counts what it withholds as done, and the bill says so", async () => {
    const { scenario, client } = await start(kind);
    scenario.play("rows: fewer than counted");
    const { id } = await client.create(ids);
    scenario.end();
    const { completed } = await client.retrieve(id);
    if (kind !== "together" && kind !== "gemini") expect(completed).toBe(6);
    const rows = await readOn(client, id, 3);
    expect(scenario.bill.audit(answersOf(rows))).toMatchObject({ lost: [], withheld: ["q-5", "q-6"] });
  });

  it("waits for a slow download until the machine's time has passed", async () => {
    const { scenario, client } = await start(kind);
    scenario.play("download: slow");
    const { id } = await client.create(ids);
    scenario.end();
    expect(await passTime(client.retrieve(id).then((batch) => client.read(batch)))).toHaveLength(6);
    expect(machine.monotonic()).toBeGreaterThanOrEqual(60_000);
  });

  it.each([
    ["rows: answer, then error", ["answer to q-6 by b1", null]],
    ["rows: error, then answer", [null, "answer to q-6 by b1"]],
    ["rows: two answers", ["answer to q-6 by b1", "another answer to q-6 by b1"]],
    ["rows: the same answer twice", ["answer to q-6 by b1", "answer to q-6 by b1"]],
  ])("reads two rows of a line: %s", async (name, expected) => {
    const { scenario, client } = await start(kind);
    scenario.play(name);
    const { id } = await client.create(ids);
    scenario.end();
    const rows = await readOn(client, id, 1);
    expect(rows.filter((row) => row.id === "q-6").map(({ answer }) => answer)).toEqual(expected);
    expect(scenario.bill.line("q-6").paid).toBe(1);
  });

  it.each([
    ["rows: error first, answer in a later read", [null, "answer to q-2 by b1"]],
    ["rows: answer first, error in a later read", ["answer to q-2 by b1", null]],
    ["rows: two answers, in two reads", ["answer to q-2 by b1", "another answer to q-2 by b1"]],
  ])("reads a line differently the next time: %s", async (name, expected) => {
    const { scenario, client } = await start(kind);
    scenario.play(name);
    const { id } = await client.create(ids);
    scenario.end();
    const rows = await readOn(client, id, 2);
    expect(rows.filter((row) => row.id === "q-2").map(({ answer }) => answer)).toEqual(expected);
    expect(scenario.bill.line("q-2").paid).toBe(1);
  });

  it("is answered in each way when it creates a batch, made or not made", async () => {
    const { scenario, client } = await start(kind, { timeout: 500 });
    const names = behavioursOf(kind).filter((name) => name.startsWith("create: "));
    for (const name of names) {
      const before = scenario.batches.length;
      const strayed = scenario.elsewhere.length;
      scenario.play(name);
      await failed(client.create([name.replaceAll(/[^a-z0-9]/g, "-")]));
      const made = name.endsWith(", made") ? 1 : 0;
      // The client follows a redirect that keeps the method, and so asks a second time.
      const isAskedAgain = /: 30[78],/.test(name) ? 1 : 0;
      expect(scenario.batches.length - before, name).toBe(made + isAskedAgain);
      expect(scenario.elsewhere.length - strayed, name).toBe(name.includes("elsewhere") ? 1 : 0);
    }
    scenario.end();
    const twice = names.filter((name) => /: 30[78], made/.test(name)).map((name) => name.replaceAll(/[^a-z0-9]/g, "-"));
    expect(scenario.bill.audit([]).paidTwice).toEqual(twice);
  });

  it("finds the batch of a create that was answered by 303", async () => {
    const { scenario, client } = await start(kind);
    scenario.play("create: 303, made");
    const found = await failed(client.create(ids));
    // Together's client looks for the job in the create's own answer.
    expect(found).toBeNull();
    expect(scenario.received.at(-1)).toMatchObject({ method: "GET" });
    expect(scenario.received.at(-1)?.path).toMatch(/batches\/b1$/);
  });

  it("lists the nights of another job, ours among them", async () => {
    const { scenario, client } = await start(kind, { nightlyIds: ids });
    scenario.play("nights: before");
    expect((await client.list()).map(({ id }) => id.replace("batches/", ""))).toEqual(["n1", "n2"]);
    await client.create(ids);
    scenario.play("nights: two hours after");
    expect(await client.list()).toHaveLength(3);
    await machine.advance(2 * hour);
    const listed = await client.list();
    expect(listed.map(({ id }) => id.replace("batches/", ""))).toEqual(["n4", "b3", "n1", "n2"]);
    scenario.end();
    const foreign = await client.retrieve(listed[0]?.id ?? "");
    const rows = answersOf(await client.read(foreign));
    expect(rows).toHaveLength(6);
    expect(scenario.bill.audit(rows)).toMatchObject({ lost: ids, strange: rows });
  });

  it.each([
    ["clock: no Date", null],
    ["clock: broken Date", "yesterday"],
    ["clock: 3 hours ahead", new Date(Date.UTC(2026, 0, 1, 3)).toUTCString()],
    ["clock: 3 hours behind", new Date(Date.UTC(2025, 11, 31, 21)).toUTCString()],
  ])("is told the time of the service: %s", async (name, date) => {
    const { scenario, client } = await start(kind);
    scenario.play(name);
    await client.create(ids);
    const response = await fetch(`${new URL(scenario.url).origin}/login`);
    expect(response.headers.get("date")).toBe(date);
  });

  it.each([
    ["list: 500", "500"],
    ["list: 404", "404"],
  ])("is refused a list: %s", async (name, status) => {
    const { scenario, client } = await start(kind);
    scenario.play(name);
    expect(await failed(client.list())).toContain(status);
  });

  it("follows a list to where it has moved, and to another place", async () => {
    const { scenario, client } = await start(kind);
    await client.create(ids);
    scenario.play("list: moved");
    expect(await client.list()).toHaveLength(1);
    scenario.play("list: redirects elsewhere");
    await failed(client.list());
    expect(scenario.elsewhere).toHaveLength(1);
    scenario.play("list: without ours for 3 reads");
    for (let time = 0; time < 3; time++) expect(await client.list()).toEqual([]);
    expect(await client.list()).toHaveLength(1);
  });

  it("lists more batches than one page has", async () => {
    const { scenario, client } = await start(kind);
    scenario.play("nights: 100 before");
    expect(await client.list()).toHaveLength(120);
  });

  it("is shown each final state in its own word", async () => {
    const { scenario, client } = await start(kind);
    for (const name of behavioursOf(kind).filter((other) => other.startsWith("state: "))) {
      scenario.play(name);
      const { id } = await client.create(ids);
      scenario.end();
      const word = /^state: (\w+)/.exec(name)?.[1] ?? "";
      const shown = (await client.retrieve(id)).word.toLowerCase().replace(/^(batch|job)_state_/, "");
      expect(shown, name).toBe(kind === "anthropic" && ["expired", "cancelled"].includes(word) ? "ended" : word);
    }
  });
});

it("draws the same mixture for the same seed, and another for another", () => {
  expect(mixtureOf("openai", 7)).toEqual(mixtureOf("openai", 7));
  const drawn = Array.from({ length: 30 }, (_, seed) => mixtureOf("openai", seed).join(", "));
  expect(new Set(drawn).size).toBe(30);
});
