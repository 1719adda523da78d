import { ORPCError } from "@orpc/client";
import { expect, test } from "vitest";
import type { Source, SourceProgress } from "#contract";
import { createUpload, type UploadProgress, type UploadTarget } from "./upload-source.ts";

/** A target that keeps bytes as the main process does: in order, or not at all. */
function createMemoryTarget() {
  const uploads = new Map<string, string>();
  let failNext = false;
  let calls = 0;
  const target: UploadTarget = {
    begin: async ({ name }) => {
      const id = `${name}#${uploads.size}`;
      uploads.set(id, "");
      return { id };
    },
    append: async ({ id, offset, chunk }) => {
      calls += 1;
      if (failNext) {
        failNext = false;
        throw new Error("The connection was lost.");
      }
      const before = uploads.get(id);
      if (before === undefined) throw new ORPCError("NOT_FOUND");
      if (before.length !== offset) throw new Error(`Expected ${before.length}, not ${offset}.`);
      uploads.set(id, before + (await chunk.text()));
      return { bytes: before.length + chunk.size };
    },
    finish: async ({ id }) => reading(toSource(id, uploads.get(id) ?? "")),
    discard: async ({ id }) => uploads.delete(id),
  };
  return {
    target,
    uploads,
    calls: () => calls,
    failNext: () => {
      failNext = true;
    },
  };
}

async function* reading(source: Source): AsyncGenerator<SourceProgress> {
  yield { phase: "reading", bytes: 5, total: source.bytes, rows: 2 };
  yield { phase: "read", source };
}

function toSource(id: string, text: string): Source {
  return {
    id,
    name: text,
    kind: "jsonl",
    holds: "rows",
    bytes: text.length,
    rowCount: 1,
    columns: [],
    csv: null,
    encoding: "utf-8",
  };
}

const file = new File(["0123456789"], "rows.jsonl");

test("sends the bytes in order and says how far it is", async () => {
  const { target } = createMemoryTarget();
  const progress: UploadProgress[] = [];
  const source = await createUpload(target, file, 4).run(new AbortController().signal, (step) => progress.push(step));
  expect(source.name).toBe("0123456789");
  expect(progress).toEqual([
    { phase: "sending", bytes: 0 },
    { phase: "sending", bytes: 4 },
    { phase: "sending", bytes: 8 },
    { phase: "reading", bytes: 0, total: 10, rows: 0 },
    { phase: "reading", bytes: 5, total: 10, rows: 2 },
  ]);
});

test("goes on where it failed, without sending a byte twice", async () => {
  const memory = createMemoryTarget();
  const upload = createUpload(memory.target, file, 4);
  const { signal } = new AbortController();
  const failing = upload.run(signal, ({ bytes }) => {
    if (bytes === 4) memory.failNext();
  });
  await expect(failing).rejects.toThrow("The connection was lost.");
  const source = await upload.run(signal, () => {});
  expect(source.name).toBe("0123456789");
  expect(memory.calls()).toBe(4);
});

test("starts over when the other side has lost what was sent", async () => {
  const memory = createMemoryTarget();
  const upload = createUpload(memory.target, file, 4);
  const { signal } = new AbortController();
  const failing = upload.run(signal, ({ bytes }) => {
    if (bytes === 4) memory.uploads.clear();
  });
  await expect(failing).rejects.toMatchObject({ code: "NOT_FOUND" });
  const source = await upload.run(signal, () => {});
  expect(source.name).toBe("0123456789");
});

test("starts over after a refusal, so that the same is said again", async () => {
  const memory = createMemoryTarget();
  const finish: UploadTarget["finish"] = async ({ id }) => {
    memory.uploads.delete(id);
    throw new ORPCError("REFUSED");
  };
  const upload = createUpload({ ...memory.target, finish }, file, 4);
  for (const sent of [3, 6]) {
    await expect(upload.run(new AbortController().signal, () => {})).rejects.toMatchObject({ code: "REFUSED" });
    expect(memory.calls()).toBe(sent);
  }
});

test("stops at once when it is cancelled, and leaves nothing behind", async () => {
  const memory = createMemoryTarget();
  const upload = createUpload(memory.target, file, 4);
  const abort = new AbortController();
  const running = upload.run(abort.signal, ({ bytes }) => {
    if (bytes === 4) abort.abort();
  });
  await expect(running).rejects.toMatchObject({ name: "AbortError" });
  await upload.discard();
  expect(memory.uploads.size).toBe(0);
});

test("an empty file is finished at once: the main process says what is wrong with it", async () => {
  const memory = createMemoryTarget();
  const source = await createUpload(memory.target, new File([], "empty.csv")).run(
    new AbortController().signal,
    () => {},
  );
  expect(source.bytes).toBe(0);
  expect(memory.calls()).toBe(0);
});
