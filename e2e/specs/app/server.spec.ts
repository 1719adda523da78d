import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { promisify } from "node:util";
import { expect } from "@playwright/test";
import { secretLike } from "../../fixtures/hidden-secrets.ts";
import { walkApp, walkOwnPage } from "../../fixtures/screens.ts";
import { ServerPage } from "../../pages/server-page.ts";
import { VerifyPage } from "../../pages/verify-page.ts";

const run = promisify(execFile);
const secret = new RegExp(secretLike);

walkApp(
  "the mock server is started, gets another key, answers by rules, and shows what it was asked",
  async (parts) => {
    const { page, check } = parts;
    const server = new ServerPage(page);
    await server.open();
    await check("server-off");
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const taken = other.address();
    const port = typeof taken === "object" && taken !== null ? taken.port : 0;
    await server.mock.getByRole("textbox", { name: "Port" }).fill(String(port));
    await server.mock.getByRole("button", { name: "Start there" }).click();
    await expect(server.mock.getByRole("alert")).toContainText(`Port ${port} is in use`);
    await expect(server.mock.getByRole("switch", { name: "Mock server" })).not.toBeChecked();
    await check("server-port-taken");
    other.close();
    const address = await server.start();
    await expect(server.mock.getByRole("alert")).toBeHidden();

    const before = await server.copy(server.mock, "Copy the key");
    for (const name of ["curl", "Python", "JavaScript"]) {
      await server.mock.getByText(name, { exact: true }).click();
      expect(await server.copy(server.mock, `Copy for ${name}`)).toContain(before);
    }
    await server.mock.getByRole("button", { name: "Rotate the key…" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText(`ends in ${before.slice(-4)}`);
    await check("server-rotate");
    await dialog.getByRole("button", { name: "Rotate the key" }).click();
    await expect(server.mock.getByText(before.slice(-4), { exact: true })).toBeHidden();
    const key = await server.copy(server.mock, "Copy the key");
    const ask = (bearer: string) =>
      fetch(`${address}/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
        body: JSON.stringify({
          model: "klusterai/Meta-Llama-3.1-8B-Instruct-Turbo",
          messages: [{ role: "user", content: "When?" }],
        }),
      });
    expect((await ask(before)).status).toBe(401);

    const controls = page.getByRole("region", { name: "Behaviour" });
    await controls.getByRole("radiogroup", { name: "Engine" }).getByText("Scripted").click();
    await controls.getByRole("textbox", { name: /^Rules of the scripted engine/ }).click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("rules:\n  - reply: { txt: Soon. }");
    await expect(controls.getByRole("list", { name: "What is wrong with the rules" })).toContainText("Line 2");
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("rules:\n  - reply: { text: Soon. }");
    await controls.getByRole("button", { name: "Use these rules" }).click();
    await expect(controls).toContainText("1 rule in force");
    expect(await (await ask(key)).text()).toContain("Soon.");
    await controls.getByRole("textbox", { name: "Fail with an error" }).fill("100");
    await page.keyboard.press("Enter");
    await expect(controls.getByRole("button", { name: "Switch all faults off" })).toBeEnabled();
    await expect.poll(async () => (await ask(key)).status).toBe(500);
    await check("server-rules");
    await controls.getByRole("button", { name: "Switch all faults off" }).click();

    await page.getByRole("radiogroup", { name: "What to see of the server" }).getByText("Requests").click();
    const requests = page.getByRole("grid", { name: "Requests" });
    await expect(requests).toBeFocused();
    await expect(requests).toContainText("/v1/chat/completions");
    // The last is the oldest, which had the key of before.
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    const inspector = page.getByRole("complementary", { name: "Request" });
    await expect(inspector.getByRole("region", { name: "Response body" })).toContainText("Soon.");
    await expect(inspector).toContainText("by Rule 1");
    await expect(inspector).not.toContainText(key);
    await check("server-request-inspector");
    await page.keyboard.press("Escape");
    await expect(requests).toBeFocused();

    // The next walk, in another theme, finds other rules in force than it writes.
    await page.getByRole("radiogroup", { name: "What to see of the server" }).getByText("Settings").click();
    await controls.getByRole("textbox", { name: /^Rules of the scripted engine/ }).click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("rules:\n  - reply: { text: Later. }");
    await controls.getByRole("button", { name: "Use these rules" }).click();
    await controls.getByRole("radiogroup", { name: "Engine" }).getByText("Mock").click();
  },
);

walkOwnPage("a key or token reaches the page when its user asks for it, and stays nowhere", async ({ page, check }) => {
  const frames: string[] = [];
  page.on("websocket", (socket) => {
    const keep = ({ payload }: { payload: string | Buffer }) => frames.push(payload.toString("latin1"));
    socket.on("framesent", keep);
    socket.on("framereceived", keep);
  });
  const countSecrets = () => frames.filter((frame) => secret.test(frame)).length;
  await page.clock.install();
  await page.reload();
  const server = new ServerPage(page);
  await server.open();
  await server.start();
  await server.turnOn(server.mcp, "MCP endpoint");
  await check("server-on");
  for (const place of ["Build", "Batches", "Verify", "Server"]) {
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: place }).click();
    expect(await page.content()).not.toMatch(secret);
  }
  expect(countSecrets()).toBe(0);

  expect(await server.copy(server.mock, "Copy the key")).toMatch(secret);
  const token = await server.copy(server.mcp, "Copy the token");
  expect(token).toMatch(secret);
  expect(countSecrets()).toBe(2);
  expect(await page.content()).not.toMatch(secret);

  const show = server.mcp.getByRole("button", { name: /^Show the token/ });
  await show.click();
  await expect(server.mcp.getByText(token)).toBeVisible();
  await server.mcp.getByText("VS Code", { exact: true }).click();
  await server.mcp.scrollIntoViewIfNeeded();
  await check("server-shown");
  await page.clock.fastForward(31_000);
  await expect(server.mcp.getByText(token)).toBeHidden();
  await show.click();
  await expect(server.mcp.getByText(token)).toBeVisible();
  const verify = new VerifyPage(page);
  await verify.open();
  await server.open();
  await expect(server.mcp.getByText(token)).toBeHidden();
  const kept = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]),
  );
  expect(kept).not.toMatch(secret);

  await verify.open();
  await verify.write("Prompt", "What is 2 + 2?");
  await verify.write("Response", "2 + 2 = 5. That's it.");
  await verify.verify();
  await verify.result.getByText("Raw", { exact: true }).click();
  await expect(verify.result.getByText("turn it on in Server")).toBeHidden();
  const command = await server.copy(verify.result, "Copy command");
  const { stdout } = await run("sh", ["-c", command], { env: { ...process.env, MCP_TOKEN: token } });
  const shown = JSON.parse(await server.copy(verify.result, "Copy answer"));
  expect(JSON.parse(stdout.replace(/^event: message\ndata: /, ""))).toMatchObject({
    result: { structuredContent: shown.result.structuredContent },
  });
});
