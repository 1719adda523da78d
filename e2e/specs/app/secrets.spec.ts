import { expect } from "@playwright/test";
import { secretLike } from "../../fixtures/hidden-secrets.ts";
import { hostsTest as test } from "../../fixtures/hosts-test.ts";
import { ServerPage } from "../../pages/server-page.ts";

const secret = new RegExp(secretLike);

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

test("a key or token reaches the page when its user asks for it, and stays nowhere", async ({ page, hosts }) => {
  const frames: string[] = [];
  page.on("websocket", (socket) => {
    const keep = ({ payload }: { payload: string | Buffer }) => frames.push(payload.toString("latin1"));
    socket.on("framesent", keep);
    socket.on("framereceived", keep);
  });
  const countSecrets = () => frames.filter((frame) => secret.test(frame)).length;
  const host = await hosts.start({ pace: "instant" });
  await page.goto(host.address);
  const server = new ServerPage(page);
  await server.open();
  await server.start();
  await server.turnOn(server.mcp, "MCP endpoint");
  await server.mock.getByRole("button", { name: "Rotate the key…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Rotate the key" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  for (const place of ["Build", "Batches", "Verify", "Server"]) {
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: place }).click();
    expect(await page.content()).not.toMatch(secret);
  }
  expect(countSecrets()).toBe(0);

  expect(await server.copy(server.mock, "Copy the key")).toMatch(secret);
  expect(await server.copy(server.mcp, "Copy the token")).toMatch(secret);
  expect(countSecrets()).toBe(2);
  expect(await page.content()).not.toMatch(secret);
  const stored = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  );
  expect(stored).not.toMatch(secret);
});
