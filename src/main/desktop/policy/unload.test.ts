import { expect, it } from "vitest";
import { decideUnload, type Leaving } from "./unload.ts";

const conflict = { name: "Reviews", reason: "conflict" } as const;
const failed = { name: "", reason: "failed" } as const;

it.each([
  ["quit", "Quit anyway"],
  ["close", "Close anyway"],
  ["reload", "Load anyway"],
] as const)("a draft in a conflict is named before its changes are lost (%s)", (leaving, label) => {
  expect(decideUnload([conflict], leaving)).toEqual({
    do: "ask",
    question: {
      type: "warning",
      message: "The draft “Reviews” is not saved.",
      detail: `The draft was changed in another window meanwhile. ${label} drops what you changed in this window, and keeps the other version. To keep yours, stay and choose Save mine in Build.`,
      buttons: [
        ["Stay", "stay"],
        [label, "leave"],
      ],
      closed: "stay",
    },
  });
});

it("one that could not be stored, several, and one whose name is not known", () => {
  const messages = [[failed], [conflict, failed], []].map((drafts) => decideUnload(drafts, "quit"));
  expect(messages).toMatchObject([
    { question: { message: "A draft is not saved.", detail: expect.stringContaining("could not be stored") } },
    { question: { message: "2 drafts are not saved.", detail: expect.stringContaining("could not be stored") } },
    { question: { message: "A draft is not saved." } },
  ]);
});

it("the system's shutdown waits for no one", () => {
  expect(decideUnload([conflict], "shutdown" satisfies Leaving)).toEqual({ do: "leave" });
});
