import { expect, test } from "vitest";
import type { Source, SourceProgress } from "#contract";
import { createSourceUpload, type UploadState } from "./source-upload.ts";
import type { UploadTarget } from "./upload-source.ts";

const source: Source = {
  id: "source_1",
  name: "rows.csv",
  kind: "csv",
  holds: "rows",
  bytes: 3 * 1024 * 1024,
  rowCount: 1,
  columns: ["a"],
  csv: { delimiter: ",", header: true },
  encoding: "utf-8",
};
const file = new File([new Uint8Array(3 * 1024 * 1024)], "rows.csv");

/** Half of the file is read in one second of the test's clock. */
async function* read(clock: { now: number }): AsyncGenerator<SourceProgress> {
  clock.now += 1000;
  yield { phase: "reading", bytes: file.size / 2, total: file.size, rows: 40 };
  yield { phase: "read", source };
}

/** A target whose appends each take one second of the test's clock, and fail while it is told so. */
function createTarget() {
  const clock = { now: 0 };
  const failures: Error[] = [];
  const discarded: string[] = [];
  const target: UploadTarget = {
    begin: async () => ({ id: "source_1" }),
    append: async ({ offset, chunk }) => {
      clock.now += 1000;
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      return { bytes: offset + chunk.size };
    },
    finish: async () => read(clock),
    discard: async ({ id }) => discarded.push(id),
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
  });
  expect(states).toContainEqual({
    status: "running",
    name: "rows.csv",
    phase: "reading",
    bytes: file.size / 2,
    total: file.size,
    rows: 40,
    rate: file.size / 2,
  });
  expect(states.at(-1)).toEqual({ status: "idle" });
});

test("says where it failed, and goes on from there", async () => {
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
