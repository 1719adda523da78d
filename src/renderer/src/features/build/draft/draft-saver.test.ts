import { ORPCError } from "@orpc/client";
import { beforeEach, expect, test } from "vitest";
import type { Draft } from "#contract";
import { createDraftSaver, isConflict, type SaveTarget } from "./draft-saver.ts";

const template = { messages: [], model: "m", temperature: null, maxCompletionTokens: null, customId: "" };
const draft: Draft = { id: "draft_1", name: "", sourceId: null, template, revision: 0, updatedAt: 0 };

/** A place that keeps one draft as the service does; `losesAnswers` cuts the connection after a save. */
class Place implements SaveTarget {
  kept = draft;
  losesAnswers = false;

  async get(): Promise<Draft> {
    return this.kept;
  }

  async save(given: Omit<Draft, "updatedAt">): Promise<Draft> {
    if (given.revision !== this.kept.revision) throw new ORPCError("CONFLICT");
    this.kept = { ...given, revision: given.revision + 1, updatedAt: this.kept.updatedAt + 1 };
    if (this.losesAnswers) throw new DOMException("closed", "AbortError");
    return this.kept;
  }
}

let place: Place;
const named = (name: string) => ({ name, sourceId: null, template });

beforeEach(() => {
  place = new Place();
});

test("saves follow each other, each on the revision before", async () => {
  const saver = createDraftSaver(place, draft);
  await saver.save(named("one"));
  await saver.save(named("two"));
  expect(place.kept).toMatchObject({ name: "two", revision: 2 });
  expect(saver.revision()).toBe(2);
});

test("a draft that another window has saved is not saved over, until its revision is taken up", async () => {
  const [mine, other] = [createDraftSaver(place, draft), createDraftSaver(place, draft)];
  await other.save(named("theirs"));
  const refused = mine.save(named("mine"));
  await expect(refused).rejects.toSatisfy(isConflict);
  await expect(mine.save(named("mine"))).rejects.toSatisfy(isConflict);
  expect(place.kept.name).toBe("theirs");
  mine.adopt(await place.get());
  await mine.save(named("mine"));
  expect(place.kept.name).toBe("mine");
});

test("a save of its own whose answer was lost is not taken for another window's", async () => {
  const saver = createDraftSaver(place, draft);
  place.losesAnswers = true;
  await expect(saver.save(named("one"))).rejects.toThrow("closed");
  place.losesAnswers = false;
  await saver.save(named("one, and more"));
  expect(place.kept).toMatchObject({ name: "one, and more", revision: 2 });
});

test("a save that was lost does not excuse one over another window's", async () => {
  const [mine, other] = [createDraftSaver(place, draft), createDraftSaver(place, draft)];
  place.losesAnswers = true;
  await expect(mine.save(named("mine"))).rejects.toThrow("closed");
  place.losesAnswers = false;
  other.adopt(await place.get());
  await other.save(named("theirs"));
  await expect(mine.save(named("mine, and more"))).rejects.toSatisfy(isConflict);
  expect(place.kept.name).toBe("theirs");
});
