import { notifications, notificationsStore } from "@mantine/notifications";
import { renderToString } from "react-dom/server";
import { beforeEach, expect, test, vi } from "vitest";
import { copyText, showFailure, showOffer } from "./messages.tsx";

// One list of messages serves all test files of a process.
beforeEach(() => notifications.clean());

test("a failure stays until it is closed, an offer for ten seconds", () => {
  showFailure("The batch was not deleted", "It still runs.");
  showOffer({ title: "“Reviews” is deleted", run: () => {} });
  expect(notificationsStore.getState().notifications).toMatchObject([
    { title: "The batch was not deleted", autoClose: false },
    { autoClose: 10_000 },
  ]);
});

test("a text that the browser does not let the page copy is in the report", async () => {
  vi.stubGlobal("navigator", { clipboard: { writeText: () => Promise.reject(new Error("NotAllowedError")) } });
  await copyText("batch_1", "The batch id");
  // Without https there is no clipboard at all.
  vi.stubGlobal("navigator", {});
  await copyText("batch_1", "The batch id");
  vi.unstubAllGlobals();
  const { notifications: shown } = notificationsStore.getState();
  expect(shown.map(({ title }) => title)).toEqual(["The batch id was not copied", "The batch id was not copied"]);
  expect(renderToString(shown[0]?.message)).toContain("here: batch_1");
});
