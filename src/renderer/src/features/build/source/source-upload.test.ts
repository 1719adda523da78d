import { ORPCError } from "@orpc/client";
import { describe, expect, test } from "vitest";
import { type Source, type SourceCopyProgress, type SourceProgress, sourceNotesSchema } from "#contract";
import {
  createSourceUpload,
  createUpload,
  type UploadProgress,
  type UploadState,
  type UploadTarget,
} from "./source-upload.ts";

describe("an upload", () => {
  /** A target that stores bytes as the main process does: in order, or not at all. */
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
      head: async () => null,
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
      sheet: null,
      sheets: [],
      valuesAsShown: false,
      visibleRowsOnly: false,
      notes: sourceNotesSchema.parse({ emptyCells: null, raggedRows: null, renamed: [] }),
      editedLines: [],
      replacements: [],
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

  test("continues where it failed, without sending a byte twice", async () => {
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

  test("an empty file is finished at once: the main process reports what is wrong with it", async () => {
    const memory = createMemoryTarget();
    const source = await createUpload(memory.target, new File([], "empty.csv")).run(
      new AbortController().signal,
      () => {},
    );
    expect(source.bytes).toBe(0);
    expect(memory.calls()).toBe(0);
  });
});

describe("the upload of a draft's source", () => {
  const source: Source = {
    id: "source_1",
    name: "rows.csv",
    kind: "csv",
    holds: "rows",
    bytes: 3 * 1024 * 1024,
    rowCount: 1,
    columns: ["a"],
    csv: { delimiter: ",", quote: '"', escape: null, comment: null, trim: false, header: 1, skip: 0 },
    encoding: "utf-8",
    sheet: null,
    sheets: [],
    valuesAsShown: false,
    visibleRowsOnly: false,
    notes: sourceNotesSchema.parse({ emptyCells: null, raggedRows: null, renamed: [] }),
    editedLines: [],
    replacements: [],
  };
  const file = new File([new Uint8Array(3 * 1024 * 1024)], "rows.csv");

  const head = { columns: ["a"], rows: [{ row: 1, cells: { a: "1" } }] };

  /** Half of the file is read in one second of the test's clock. */
  async function* read(clock: { now: number }): AsyncGenerator<SourceProgress> {
    clock.now += 1000;
    yield { phase: "reading", bytes: file.size / 2, total: file.size, rows: 40 };
    yield { phase: "read", source };
  }

  /** Of a file that the app reads itself. */
  async function* copyAndRead(clock: { now: number }): AsyncGenerator<SourceCopyProgress> {
    clock.now += 1000;
    yield { phase: "copying", bytes: file.size };
    yield* read(clock);
  }

  /** A target whose appends each take one second of the test's clock, and fail while there are failures to throw. */
  function createTarget() {
    const clock = { now: 0 };
    const failures: Error[] = [];
    const discarded: string[] = [];
    const target: Parameters<typeof createSourceUpload>[0] = {
      begin: async () => ({ id: "source_1" }),
      append: async ({ offset, chunk }) => {
        clock.now += 1000;
        const failure = failures.shift();
        if (failure !== undefined) throw failure;
        return { bytes: offset + chunk.size };
      },
      head: async () => head,
      finish: async () => read(clock),
      discard: async ({ id }) => discarded.push(id),
      open: async () => copyAndRead(clock),
    };
    return { target, clock, failures, discarded };
  }

  function waitFor(upload: ReturnType<typeof createSourceUpload>, status: UploadState["status"]): Promise<UploadState> {
    const { promise, resolve } = Promise.withResolvers<UploadState>();
    upload.state.subscribe((state) => {
      if (state.status === status) resolve(state);
    });
    return promise;
  }

  test("shows bytes and rate while it sends, rows and rate while they are counted, and hands the source over", async () => {
    const { target, clock } = createTarget();
    const done = Promise.withResolvers<Source>();
    const upload = createSourceUpload(target, done.resolve, () => clock.now);
    const states: UploadState[] = [];
    upload.state.subscribe((state) => states.push(state));
    upload.start(file);
    expect(await done.promise).toBe(source);
    expect(states).toContainEqual({
      status: "running",
      name: "rows.csv",
      phase: "sending",
      bytes: 2 * 1024 * 1024,
      total: file.size,
      rows: 0,
      rate: 1024 * 1024,
      head,
    });
    expect(states).toContainEqual({
      status: "running",
      name: "rows.csv",
      phase: "reading",
      bytes: file.size / 2,
      total: file.size,
      rows: 40,
      rate: file.size / 2,
      head,
    });
    expect(states.at(-1)).toEqual({ status: "idle" });
  });

  test("of a file that the system opened sends nothing, and shows how far the app is", async () => {
    const { target, clock } = createTarget();
    const done = Promise.withResolvers<Source>();
    const upload = createSourceUpload(target, done.resolve, () => clock.now);
    const states: UploadState[] = [];
    upload.state.subscribe((state) => states.push(state));
    upload.open({ id: "opened_1", name: "rows.csv", bytes: file.size });
    expect(await done.promise).toBe(source);
    const shown = states.map((state) => ("phase" in state ? [state.phase, state.bytes] : [state.status]));
    expect(shown.slice(1)).toEqual([["sending", 0], ["sending", file.size], ["reading", file.size / 2], ["idle"]]);
  });

  test("reports where it failed, and continues from there", async () => {
    const { target, clock, failures } = createTarget();
    const done = Promise.withResolvers<Source>();
    const upload = createSourceUpload(target, done.resolve, () => clock.now);
    failures.push(new Error("The disk is full."));
    const failed = waitFor(upload, "failed");
    upload.start(file);
    expect(await failed).toMatchObject({ name: "rows.csv", bytes: 0, total: file.size });
    upload.retry();
    expect(await done.promise).toBe(source);
  });

  test("a cancelled upload is dropped and never becomes the source", async () => {
    const { target, clock, discarded } = createTarget();
    const sources: Source[] = [];
    const upload = createSourceUpload(
      target,
      (done) => sources.push(done),
      () => clock.now,
    );
    const { promise, resolve } = Promise.withResolvers<void>();
    upload.state.subscribe((state) => {
      if (state.status === "running" && state.bytes > 0) {
        upload.cancel();
        resolve();
      }
    });
    upload.start(file);
    await promise;
    await Promise.resolve();
    expect(upload.state.getState()).toEqual({ status: "idle" });
    expect(discarded).toEqual(["source_1"]);
    expect(sources).toEqual([]);
  });
});
