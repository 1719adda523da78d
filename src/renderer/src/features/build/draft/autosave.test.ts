import { ORPCError } from "@orpc/client";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { allRows, type Draft } from "#contract";
import { createAutosave, type SaveTarget } from "./autosave.ts";

const template = {
  messages: [],
  connectionId: null,
  model: "m",
  temperature: null,
  maxCompletionTokens: null,
  customId: "",
};
const draft: Draft = {
  id: "draft_1",
  name: "",
  sourceId: null,
  template,
  rows: allRows,
  pictureFolders: [],
  revision: 0,
  updatedAt: 5,
};

/** Stores one draft as the service does. While it waits, each save is answered when `answer` is called. */
class Storage implements SaveTarget {
  stored = draft;
  readonly saved: string[] = [];
  waits = false;
  losesAnswers = false;
  private readonly waiting: PromiseWithResolvers<void>[] = [];

  async get(): Promise<Draft> {
    return this.stored;
  }

  async save(given: Omit<Draft, "updatedAt">): Promise<Draft> {
    this.saved.push(given.name);
    if (this.waits) {
      const answered = Promise.withResolvers<void>();
      this.waiting.push(answered);
      await answered.promise;
    }
    if (given.revision !== this.stored.revision) throw new ORPCError("CONFLICT");
    this.stored = { ...given, revision: given.revision + 1, updatedAt: this.stored.updatedAt + 1 };
    if (this.losesAnswers) throw new DOMException("closed", "AbortError");
    return this.stored;
  }

  async answer(failure?: Error): Promise<void> {
    const next = this.waiting.shift();
    if (failure === undefined) next?.resolve();
    else next?.reject(failure);
    await vi.advanceTimersByTimeAsync(0);
  }
}

/** A window with the draft open: what is on screen, and its autosave. */
function openWindow(storage: Storage) {
  const screen = { name: "" };
  const autosave = createAutosave(storage, draft, () => ({
    name: screen.name,
    sourceId: null,
    template,
    rows: allRows,
    pictureFolders: [],
  }));
  return {
    autosave,
    state: () => autosave.state.getState(),
    type(name: string) {
      screen.name = name;
      autosave.schedule();
    },
  };
}

let storage: Storage;
let mine: ReturnType<typeof openWindow>;

beforeEach(() => {
  vi.useFakeTimers();
  storage = new Storage();
  mine = openWindow(storage);
});
afterEach(() => {
  vi.useRealTimers();
});

describe("saving", () => {
  test("happens once, after the last change of a burst", async () => {
    expect(mine.state()).toEqual({ status: "saved", at: 5 });
    for (const name of ["a", "ab", "abc"]) {
      mine.type(name);
      await vi.advanceTimersByTimeAsync(200);
    }
    expect(storage.saved).toEqual([]);
    expect(mine.state()).toEqual({ status: "saving" });
    await vi.advanceTimersByTimeAsync(600);
    expect(storage.saved).toEqual(["abc"]);
    expect(mine.state()).toEqual({ status: "saved", at: 6 });
  });

  test("never has two saves under way, and the latest state is saved last", async () => {
    storage.waits = true;
    mine.type("one");
    await vi.advanceTimersByTimeAsync(600);
    mine.type("two");
    await vi.advanceTimersByTimeAsync(600);
    expect(storage.saved).toEqual(["one"]);
    await storage.answer();
    expect(storage.saved).toEqual(["one", "two"]);
    expect(mine.state()).toEqual({ status: "saving" });
    await storage.answer();
    expect(mine.state()).toEqual({ status: "saved", at: 7 });
    expect(storage.stored).toMatchObject({ name: "two", revision: 2 });
    expect(mine.autosave.revision()).toBe(2);
  });

  test("says that it failed, and saves everything when it is asked again", async () => {
    storage.waits = true;
    mine.type("text");
    const failed = mine.autosave.flush();
    await storage.answer(new Error("down"));
    await failed;
    expect(mine.state()).toMatchObject({ status: "failed" });
    const again = mine.autosave.flush();
    await storage.answer();
    await again;
    expect(storage.saved).toEqual(["text", "text"]);
    expect(mine.state()).toEqual({ status: "saved", at: 6 });
  });

  test("sends nothing where nothing has changed, or where it was stopped", async () => {
    await mine.autosave.flush();
    mine.type("text");
    mine.autosave.stop();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(storage.saved).toEqual([]);
  });
});

describe("a draft that another window has saved", () => {
  beforeEach(async () => {
    const other = openWindow(storage);
    other.type("theirs");
    await other.autosave.flush();
    mine.type("mine");
    await mine.autosave.flush();
    expect(mine.state()).toEqual({ status: "conflict" });
    storage.saved.length = 0;
  });

  test("is not saved over until the user has decided for what is on screen", async () => {
    mine.type("mine, and more");
    await mine.autosave.flush();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(mine.state()).toEqual({ status: "conflict" });
    expect(storage.saved).toEqual([]);
    expect(storage.stored.name).toBe("theirs");
    await mine.autosave.overwrite(await storage.get());
    expect(storage.stored).toMatchObject({ name: "mine, and more", revision: 2 });
    expect(mine.state()).toEqual({ status: "saved", at: 7 });
  });

  test("leaves nothing to save where the user has decided for the other version", async () => {
    mine.autosave.adopt(await storage.get());
    await mine.autosave.flush();
    expect(storage.saved).toEqual([]);
    expect(mine.state()).toEqual({ status: "saved", at: 6 });
  });
});

describe("a save that a full disk refuses", () => {
  const isFull = { message: "Disk full: nothing can be stored.", code: "disk_full" };

  test("is tried again by itself until it succeeds, never looking saved before", async () => {
    storage.waits = true;
    mine.type("one");
    await vi.advanceTimersByTimeAsync(600);
    await storage.answer(new ORPCError("REFUSED", { data: isFull }));
    expect(mine.state()).toMatchObject({ status: "failed" });
    mine.type("one, and more");
    expect(mine.state()).toMatchObject({ status: "failed" });
    await vi.advanceTimersByTimeAsync(600);
    await storage.answer(new ORPCError("REFUSED", { data: isFull }));
    expect(mine.state()).toMatchObject({ status: "failed" });
    storage.waits = false;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(storage.stored).toMatchObject({ name: "one, and more", revision: 1 });
    expect(mine.state()).toEqual({ status: "saved", at: 6 });
  });

  test("is not tried again once the draft is closed", async () => {
    storage.waits = true;
    mine.type("one");
    await vi.advanceTimersByTimeAsync(600);
    mine.autosave.stop();
    await storage.answer(new ORPCError("REFUSED", { data: isFull }));
    storage.waits = false;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(storage.saved).toEqual(["one"]);
  });
});

describe("a save whose answer was lost", () => {
  beforeEach(async () => {
    storage.losesAnswers = true;
    mine.type("one");
    await mine.autosave.flush();
    expect(mine.state()).toMatchObject({ status: "failed" });
    storage.losesAnswers = false;
  });

  test("is not taken for another window's", async () => {
    mine.type("one, and more");
    await mine.autosave.flush();
    expect(storage.stored).toMatchObject({ name: "one, and more", revision: 2 });
  });

  test("does not excuse one over another window's", async () => {
    await storage.save({ ...storage.stored, name: "theirs" });
    mine.type("one, and more");
    await mine.autosave.flush();
    expect(mine.state()).toEqual({ status: "conflict" });
    expect(storage.stored.name).toBe("theirs");
  });
});
