import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { promisify } from "node:util";
import { appTest, expect } from "../../fixtures/app-test.ts";
import { walkScreens } from "../../fixtures/screens.ts";
import { ServerPage } from "../../pages/server-page.ts";
import { VerifyPage } from "../../pages/verify-page.ts";

const run = promisify(execFile);

appTest.describe("the mock server", () => {
  appTest.use({ permissions: ["clipboard-read", "clipboard-write"] });

  appTest("is turned on, and its snippets run as pasted", async ({ page }) => {
    const server = new ServerPage(page);
    await server.open();
    await server.start();
    const key = await server.copy(server.mock, "Copy the key");
    expect(key).toMatch(/^sk-sheaf-/);
    const environment = { PATH: process.env.PATH };
    const programs = {
      curl: ["sh", "-c"],
      Python: ["python3", "-c"],
      JavaScript: [process.execPath, "--input-type=module", "--eval"],
    } as const;
    for (const [name, [program, ...options]] of Object.entries(programs)) {
      await server.mock.getByText(name, { exact: true }).click();
      const snippet = await server.copy(server.mock, `Copy for ${name}`);
      expect(snippet).toContain(key);
      const { stdout } = await run(program, [...options, snippet], { env: environment });
      expect(stdout, name).toMatch(/\w{3}/);
    }
    await server.mock.getByRole("switch", { name: /^Show the key/ }).click({ force: true });
    await expect(server.mock.getByText(key)).toBeVisible();
    const filled = await server.copy(server.mock, "Copy for JavaScript");
    const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", filled]);
    expect(stdout).toMatch(/\w{3}/);
  });

  appTest("gets another key after having said what that breaks", async ({ page }) => {
    const server = new ServerPage(page);
    await server.open();
    const address = await server.start();
    const before = await server.copy(server.mock, "Copy the key");
    await server.mock.getByRole("button", { name: "Rotate the key…" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText(`ends in ${before.slice(-4)}`);
    await dialog.getByRole("button", { name: "Rotate the key" }).click();
    await expect(server.mock.getByText(before.slice(-4), { exact: true })).toBeHidden();
    const after = await server.copy(server.mock, "Copy the key");
    const ask = (key: string) => fetch(`${address}/models`, { headers: { authorization: `Bearer ${key}` } });
    expect((await ask(before)).status).toBe(401);
    expect((await ask(after)).status).toBe(200);
  });

  appTest("says so when its port is taken, and stays where it is", async ({ page }) => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const taken = other.address();
    const port = typeof taken === "object" && taken !== null ? taken.port : 0;
    const server = new ServerPage(page);
    await server.open();
    await server.mock.getByRole("textbox", { name: "Port" }).fill(String(port));
    await server.mock.getByRole("button", { name: "Start there" }).click();
    await expect(server.mock.getByRole("alert")).toContainText(`Port ${port} is in use`);
    await expect(server.mock.getByRole("switch", { name: "Mock server" })).not.toBeChecked();
    await server.start();
    await expect(server.mock.getByRole("alert")).toBeHidden();
    other.close();
  });
});

appTest.describe("a shown secret", () => {
  appTest.use({ permissions: ["clipboard-read", "clipboard-write"] });

  appTest("is gone after half a minute, on leaving the place, and is kept nowhere", async ({ page }) => {
    await page.clock.install();
    const server = new ServerPage(page);
    await server.open();
    await server.turnOn(server.mcp, "MCP endpoint");
    const token = await server.copy(server.mcp, "Copy the token");
    await server.mcp.getByRole("button", { name: /^Show the token/ }).click();
    await expect(server.mcp.getByText(token)).toBeVisible();
    await page.clock.fastForward(31_000);
    await expect(server.mcp.getByText(token)).toBeHidden();

    await server.mcp.getByRole("button", { name: /^Show the token/ }).click();
    await expect(server.mcp.getByText(token)).toBeVisible();
    await new VerifyPage(page).open();
    await server.open();
    await expect(server.mcp.getByText(token)).toBeHidden();
    const kept = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, location.href]));
    expect(kept).not.toContain(token);
  });
});

appTest.describe("the MCP endpoint", () => {
  appTest.use({ permissions: ["clipboard-read", "clipboard-write"] });

  appTest("answers the curl command that Verify shows, with the token of Server", async ({ page }) => {
    const server = new ServerPage(page);
    await server.open();
    await server.start();
    await server.turnOn(server.mcp, "MCP endpoint");
    const token = await server.copy(server.mcp, "Copy the token");
    const verify = new VerifyPage(page);
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
});

walkScreens("every state of Server can be used by everybody", async ({ page, hosts, check }) => {
  const host = await hosts.start({ pace: "instant" });
  await page.goto(host.address);
  const server = new ServerPage(page);
  await server.open();
  await check("server-off");

  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const taken = other.address();
  const port = typeof taken === "object" && taken !== null ? taken.port : 0;
  await server.mock.getByRole("textbox", { name: "Port" }).fill(String(port));
  await server.mock.getByRole("button", { name: "Start there" }).click();
  await expect(server.mock.getByRole("alert")).toBeVisible();
  await check("server-port-taken");
  other.close();

  await server.start();
  await server.turnOn(server.mcp, "MCP endpoint");
  await check("server-on");
  await server.mock.getByRole("button", { name: /^Show the key/ }).click();
  await expect(server.mock.getByText(/hidden again in/)).toBeVisible();
  await server.mcp.getByRole("switch", { name: /^Show the token/ }).click({ force: true });
  await server.mcp.getByText("VS Code", { exact: true }).click();
  await server.mcp.scrollIntoViewIfNeeded();
  await check("server-shown");
  await server.mock.getByRole("button", { name: "Rotate the key…" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await check("server-rotate");
});
