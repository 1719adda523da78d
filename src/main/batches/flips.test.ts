import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { EngineCall, EngineReply } from "../base/ports.ts";
import {
  createManualEngine,
  createTestEngine,
  fileOf,
  makeTempDir,
  openTestService,
  readContent,
  replyTo,
  type TestService,
} from "../service/testing/index.ts";

const lines = 8;

/** Every third line fails. */
function reply(call: EngineCall): EngineReply {
  if ((call.line?.number ?? 0) % 3 !== 0) return replyTo(call);
  return { statusCode: 429, body: { error: { message: "Later.", type: "t", param: null, code: "too_many" } } };
}

/** What a line came to, in words. */
async function readRows({ results }: TestService, id: string): Promise<string[]> {
  const { rows } = await results.page(id, 0, 100);
  return rows.map(({ state, answer }) => (state === "damaged" ? state : `${state}: ${answer}`));
}

interface Damage {
  readonly kind: "flip" | "zeros" | "cut";
  /** How much of the file is before it, in ten-thousandths. */
  readonly place: number;
  readonly bit: number;
}

const damages = fc.record({
  kind: fc.constantFrom("flip" as const, "zeros" as const, "cut" as const),
  place: fc.integer({ min: 0, max: 9_999 }),
  bit: fc.integer({ min: 0, max: 7 }),
});

function damage(bytes: Buffer, { kind, place, bit }: Damage): Buffer {
  const at = Math.floor((place / 10_000) * bytes.length);
  if (kind === "cut") return bytes.subarray(0, at);
  const damaged = Buffer.from(bytes);
  if (kind === "zeros") damaged.fill(0, at, Math.min(at + 64, damaged.length));
  else damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
  return damaged;
}

/** The ledger, the answer files, the index and the columns of a batch, with how often each is damaged. */
async function listTargets(dir: string, files: readonly (string | null)[]): Promise<string[]> {
  const inFolder = async (folder: string) => (await readdir(join(dir, folder))).map((name) => join(folder, name));
  const answers = files.flatMap((id) => (id === null ? [] : [join("files", id)]));
  const ledger = await inFolder("answers");
  return [...ledger, ...ledger, ...answers, ...(await inFolder("indexes"))];
}

interface Case {
  readonly dataDir: string;
  readonly target: string;
  readonly damage: Damage;
}

/** Damages files of a folder one after the other, each time from its sound state. */
async function damageEach(dataDir: string, targets: readonly string[], check: (one: Case) => Promise<void>) {
  const work = await makeTempDir();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...targets), damages, async (target, how) => {
      await rm(work, { recursive: true });
      await cp(dataDir, work, { recursive: true });
      const path = join(work, target);
      await writeFile(path, damage(await readFile(path), how));
      await check({ dataDir: work, target, damage: how });
    }),
    { numRuns: 60, endOnFailure: true },
  );
}

test("whatever is damaged of an ended batch, no wrong byte is handed out, and no line but the damaged ones is lost", async () => {
  const dataDir = await makeTempDir();
  const first = await openTestService({ dataDir, engine: createTestEngine(reply) });
  const { id, outputFileId, errorFileId } = await first.run(fileOf(lines));
  const sound = await readRows(first, id);
  const ids = [outputFileId, errorFileId].map((file) => file ?? "");
  const contents = await Promise.all(ids.map((file) => readContent(first.files.read(file))));
  await first.close();

  await damageEach(dataDir, await listTargets(dataDir, ids), async ({ dataDir: folder, target }) => {
    const service = await openTestService({ dataDir: folder, engine: createTestEngine(() => expect.unreachable()) });
    for (const [at, file] of ids.entries()) {
      const read = await readContent(service.files.read(file)).catch((error: unknown) => String(error));
      if (!/damaged on disk/.test(read)) expect(read, target).toBe(contents[at]);
      else expect(target.startsWith("files")).toBe(true);
    }
    const rows = await readRows(service, id);
    expect(rows).toHaveLength(lines);
    rows.forEach((row, at) => {
      if (row !== "damaged") expect(row, target).toBe(sound[at]);
      else expect(target.startsWith("files")).toBe(true);
    });
    const exported = (await Array.fromAsync(service.results.exportLines(id))).map(String);
    expect(exported).toHaveLength(rows.filter((row) => row !== "damaged").length);
    for (const line of exported) expect(contents.join("")).toContain(line);
    await service.close();
  });
});

test("whatever is damaged of a batch that goes on, each line is answered once", async () => {
  const dataDir = await makeTempDir();
  const engine = createManualEngine(lines);
  const first = await openTestService({ dataDir, engine });
  const { id } = await first.submit(fileOf(lines));
  await engine.arrived(lines);
  engine.release(5);
  await expect.poll(() => first.batches.get(id)?.counts.completed).toBe(5);
  const sound = await readRows(first, id);
  await first.close(0);
  const files = first.batches.get(id)?.outputFileId ?? null;

  await damageEach(dataDir, await listTargets(dataDir, [files]), async ({ dataDir: folder, target, damage: how }) => {
    const asked: number[] = [];
    const noting = createTestEngine((call) => {
      asked.push(call.line?.number ?? 0);
      return replyTo(call);
    });
    const about = `${target} ${JSON.stringify(how)}`;
    const service = await openTestService({ dataDir: folder, engine: noting });
    const { counts, outputFileId } = await service.batches.settled(id);
    expect(counts, about).toMatchObject({ total: lines, completed: lines, failed: 0 });
    // What was answered, and was on the disk, is not asked again.
    expect(asked.toSorted(), about).toEqual([6, 7, 8]);
    const rows = await readRows(service, id);
    rows.forEach((row, at) => {
      if (row === "damaged") expect(target.startsWith("files"), about).toBe(true);
      else if (at < 5) expect(row, about).toBe(sound[at]);
    });
    if (!rows.includes("damaged")) {
      const given = (await service.lines(outputFileId)) as { custom_id: string }[];
      expect(given.map(({ custom_id: name }) => name).toSorted(), about).toEqual(
        Array.from({ length: lines }, (_, at) => `q-${at + 1}`),
      );
    }
    await service.close();
  });
});
