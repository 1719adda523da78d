import { beforeEach, describe, expect, test } from "vitest";
import { allRows, type Draft } from "#contract";
import { isBlank, selectedVersion, toWholeTemplate } from "./draft-content.ts";
import { createDraftStore, type DraftStore } from "./draft-store.ts";

const draft: Draft = {
  id: "draft_1",
  name: "Reviews",
  sourceId: null,
  template: {
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "" },
    ],
    connectionId: null,
    model: "m",
    temperature: null,
    maxCompletionTokens: null,
    customId: "",
  },
  rows: allRows,
  pictureFolders: [],
  revision: 0,
  updatedAt: 0,
};

let time = 0;
let store: DraftStore;
const content = () => store.content.getState();
const prompt = () => selectedVersion(content());
const texts = () => prompt().messages.map((message) => message.content);
const keyAt = (index: number) => prompt().messages[index]?.key ?? "";

function type(key: string, text: string, millisecondsApart = 80): void {
  for (let end = 1; end <= text.length; end += 1) {
    time += millisecondsApart;
    store.editMessage(key, { content: text.slice(0, end) });
  }
}

beforeEach(() => {
  time = 1000;
  store = createDraftStore(draft, () => time);
});

describe("undo", () => {
  test("takes back what was typed in one go, and redo brings it again", () => {
    type(keyAt(1), "Review: {{ review }}");
    store.undo();
    expect(texts()).toEqual(["Be brief.", ""]);
    expect(store.undoState.getState()).toEqual({ canUndo: false, canRedo: true });
    store.redo();
    expect(texts()).toEqual(["Be brief.", "Review: {{ review }}"]);
  });

  test("stops at a pause in typing", () => {
    type(keyAt(1), "Hello");
    time += 600;
    store.editMessage(keyAt(1), { content: "Hello there" });
    store.undo();
    expect(texts()[1]).toBe("Hello");
  });

  test("stops where typing went on in another field", () => {
    type(keyAt(1), "One");
    type(keyAt(0), "Two");
    store.undo();
    expect(texts()).toEqual(["Be brief.", "One"]);
  });

  test("treats every choice as a step of its own, however fast they follow", () => {
    store.edit({ model: "a" });
    store.edit({ model: "b" });
    store.editMessage(keyAt(1), { role: "assistant" });
    store.undo();
    expect(prompt().messages[1]?.role).toBe("user");
    store.undo();
    expect(content().model).toBe("a");
  });

  test("covers the source, the prompt and the parameters in one history", () => {
    store.edit({ sourceId: "source_1", customId: "{{ id }}" });
    type(keyAt(1), "Q");
    store.editPrompt({ temperature: 0.2 });
    store.undo();
    store.undo();
    store.undo();
    expect(content()).toMatchObject({ sourceId: null, customId: "" });
    expect(prompt().temperature).toBeNull();
    expect(texts()[1]).toBe("");
    store.redo();
    expect(content()).toMatchObject({ sourceId: "source_1", customId: "{{ id }}" });
  });

  test("brings a removed message back where it was, with its key", () => {
    const key = keyAt(0);
    store.removeMessage(key);
    expect(texts()).toEqual([""]);
    store.undo();
    expect(texts()).toEqual(["Be brief.", ""]);
    expect(keyAt(0)).toBe(key);
  });

  test("drops what could be redone as soon as something is typed", () => {
    type(keyAt(1), "abc");
    store.undo();
    type(keyAt(1), "x");
    expect(store.undoState.getState()).toEqual({ canUndo: true, canRedo: false });
    store.undo();
    expect(texts()[1]).toBe("");
  });

  test("leaves alone what the app filled in", () => {
    store.fill({ model: "default" });
    expect(store.undoState.getState().canUndo).toBe(false);
    expect(content().model).toBe("default");
  });

  test("does nothing where there is nothing to undo", () => {
    const before = content();
    store.undo();
    store.redo();
    expect(content()).toBe(before);
  });
});

describe("messages", () => {
  test("a system message goes first, others go last", () => {
    store.addMessage("assistant");
    store.addMessage("system");
    expect(prompt().messages.map((message) => message.role)).toEqual(["system", "system", "user", "assistant"]);
  });

  test("move up and down, and stay at the ends", () => {
    store.moveMessage(keyAt(1), -1);
    expect(texts()).toEqual(["", "Be brief."]);
    const before = content();
    store.moveMessage(keyAt(0), -1);
    store.moveMessage(keyAt(1), 1);
    expect(content()).toBe(before);
  });

  test("a draft without messages starts with one for the user", () => {
    const empty = createDraftStore({ ...draft, template: { ...draft.template, messages: [] } });
    expect(toWholeTemplate(empty.content.getState()).messages).toEqual([{ role: "user", content: "" }]);
  });
});

test("the template is what was loaded as long as nothing is changed", () => {
  expect(toWholeTemplate(content())).toEqual(draft.template);
});

describe("versions", () => {
  const names = () => content().versions.map(({ name }) => name);

  test("a further one begins as a copy, and both are stored; with one again, nothing is left of it", () => {
    type(keyAt(1), "Why?");
    store.editPrompt({ further: '{ "seed": 7 }' });
    store.addVersion();
    expect(names()).toEqual(["A", "B"]);
    expect(prompt().name).toBe("B");
    type(keyAt(1), "Briefly: why?");
    store.renameVersion("Brief");
    expect(texts()).toEqual(["Be brief.", "Briefly: why?"]);
    const stored = toWholeTemplate(content());
    expect(stored).toMatchObject({
      version: "A",
      messages: [{}, { content: "Why?" }],
      otherVersions: [{ version: "Brief", messages: [{}, { content: "Briefly: why?" }], further: '{ "seed": 7 }' }],
    });
    const again = createDraftStore({ ...draft, template: stored });
    expect(toWholeTemplate(again.content.getState())).toEqual(stored);
    again.removeVersion();
    expect(selectedVersion(again.content.getState()).name).toBe("Brief");
    expect(toWholeTemplate(again.content.getState())).not.toHaveProperty("otherVersions");
  });

  test("undo goes to the version that it changes; looking at another is no step of it", () => {
    store.addVersion();
    type(keyAt(1), "B?");
    store.selectVersion(content().versions[0]?.key ?? "");
    expect(texts()[1]).toBe("");
    store.undo();
    expect(prompt()).toMatchObject({ name: "B", messages: [{}, { content: "" }] });
    store.undo();
    expect(names()).toEqual(["A"]);
    store.redo();
    store.redo();
    expect(content().versions[1]?.messages[1]?.content).toBe("B?");
  });

  test("a removed one comes back with undo, and its letter is free meanwhile", () => {
    store.addVersion();
    store.addVersion();
    expect(names()).toEqual(["A", "B", "C"]);
    store.selectVersion(content().versions[1]?.key ?? "");
    store.removeVersion();
    expect([names(), prompt().name]).toEqual([["A", "C"], "C"]);
    store.addVersion();
    expect(names()).toEqual(["A", "C", "B"]);
    store.undo();
    store.undo();
    expect(names()).toEqual(["A", "B", "C"]);
  });
});

test("a draft is blank until something is put into it", () => {
  const blank = createDraftStore({ ...draft, name: "", template: { ...draft.template, messages: [] } });
  expect(isBlank(blank.content.getState())).toBe(true);
  blank.edit({ sourceId: "source_1" });
  expect(isBlank(blank.content.getState())).toBe(false);
  expect(isBlank(content())).toBe(false);
});

test("a draft that was stored elsewhere is shown in one step, and undo brings back what was here", () => {
  type(keyAt(1), "mine");
  store.load({ ...draft, name: "Theirs" });
  expect(content().name).toBe("Theirs");
  expect(texts()[1]).toBe("");
  store.undo();
  expect(content().name).toBe("Reviews");
  expect(texts()[1]).toBe("mine");
});
