import type { Page } from "@playwright/test";
import { appTest, expect } from "../../fixtures/app-test.ts";
import { walkOwnPage } from "../../fixtures/screens.ts";
import { ServerPage } from "../../pages/server-page.ts";
import { VerifyPage } from "../../pages/verify-page.ts";

const bridge = {
  prompt: "When did the bridge open, and how long did the work take?",
  document: "Work on the bridge began in 1925. It was opened in 1937 by the mayor, Ann Lee.",
  response: "The bridge opened in 1932 after 1937 − 1925 = 11 years of work. Mayor Ann Lee cut the ribbon.",
};

const towns = Array.from({ length: 50 }, (_, at) => ({ name: `Harbour ${at + 1}`, year: 1800 + at }));
const fiftyClaims = towns
  .map(({ name, year }, at) => `${name} was founded in ${at % 3 === 0 ? year + 100 : year}.`)
  .join("\n");
const filler = "The coast was mapped, the piers were built, and trade went on as it had for many years before that. ";
const longDocument = towns
  .map(({ name, year }) => `${name} was founded in ${year} by settlers from the north. ${filler.repeat(19)}`)
  .join("\n\n");

/** "held" keeps back answers of the service, since rules judge too fast for their progress to be seen; "cut" ends the connection. */
type Link = "open" | "held" | "cut";

async function controlLink(page: Page): Promise<(state: Link) => void> {
  let state: Link = "open";
  let cut = () => {};
  await page.routeWebSocket(/\/rpc/, (socket) => {
    if (state === "cut") return void socket.close();
    cut = () => void socket.close();
    socket.connectToServer().onMessage((message) => {
      if (state === "open") socket.send(message);
    });
  });
  await page.reload();
  return (next) => {
    state = next;
    if (next === "cut") cut();
  };
}

walkOwnPage("a response is verified with the keyboard alone, and each result says what was found", async (parts) => {
  const { page, check } = parts;
  const setLink = await controlLink(page);
  const verify = new VerifyPage(page);
  await expect(page.getByRole("button", { name: "New batch" })).toBeFocused();
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("textbox", { name: "Search, or run a command" })).toBeFocused();
  await page.keyboard.type("verify");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Verify", level: 1 })).toBeVisible();
  await expect(verify.verifyButton).toHaveAccessibleDescription("Write or paste a response first.");
  await check("verify-empty");

  await expect(verify.field("Prompt")).toBeFocused();
  await page.keyboard.type(bridge.prompt);
  await page.keyboard.press("Tab");
  await page.keyboard.type(bridge.document);
  await page.keyboard.press("Tab");
  await expect(verify.field("Response")).toBeFocused();
  await page.keyboard.type(bridge.response);
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(verify.headline).toContainText("contradicted");
  await expect(verify.claims.filter({ hasText: "1932" })).toContainText("1937 − 1925 is 12, not 11.");
  await expect(verify.marks("Response").filter({ hasText: "= 11" })).toHaveAttribute("data-tone", "bad");
  await expect(page.getByRole("status").filter({ hasText: /contradicted/ })).toBeAttached();
  const claim = verify.claims.first();
  await claim.hover();
  await expect(verify.active("Response").first()).toBeVisible();
  await verify.headline.hover();
  await expect(page.locator(".cm-active")).toHaveCount(0);
  await verify.marks("Response").first().hover();
  await expect(claim).toHaveAttribute("data-active", "true");

  await page.keyboard.press("ControlOrMeta+Shift+Enter");
  await expect(claim.getByRole("button")).toBeFocused();
  await expect(verify.active("Response").first()).toBeVisible();
  await check("verify-contradicted");
  await page.keyboard.press("End");
  await expect(verify.claims.last().getByRole("button")).toBeFocused();

  const all = await verify.claims.count();
  await verify.kinds.getByRole("button", { name: /^Sum/ }).click();
  await expect(verify.claims).toHaveCount(1);
  await verify.kinds.getByRole("button", { name: /^All/ }).click();
  await expect(verify.claims).toHaveCount(all);
  await verify.result.getByText("Raw", { exact: true }).click();
  await expect(verify.result.getByRole("heading", { name: "As curl" })).toBeVisible();
  await check("verify-raw");
  await verify.result.getByText("Claims", { exact: true }).click();

  await verify.write("Prompt", "What is 12 × 12?");
  await verify.write("Document", "");
  await verify.write("Response", "12 × 12 = 144.");
  await expect(verify.result.getByText("The texts have changed since")).toBeVisible();
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(verify.headline).toHaveText("1 supported");
  await check("verify-supported");
  await verify.write("Prompt", "");
  await verify.write("Response", "The weather is nice today.");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(verify.headline).toHaveText("1 not checkable");
  await check("verify-nothing");

  await verify.write("Document", longDocument);
  await verify.write("Response", fiftyClaims);
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(verify.claims).toHaveCount(50);
  await verify.claims.nth(3).getByRole("button").focus();
  await check("verify-full");
  await page.keyboard.press("Home");
  for (let step = 1; step < 50; step += 1) await page.keyboard.press("ArrowDown");
  await expect(verify.claims.last().getByRole("button")).toBeFocused();
  await expect(verify.active("Response").first()).toBeInViewport();
  await expect(verify.active("Document").first()).toBeInViewport();

  await page.getByRole("button", { name: "Empty the fields" }).click();
  await expect(verify.field("Response")).not.toContainText("Harbour");
  await page.getByRole("button", { name: /^Judge/ }).click();
  // The mock answers here: no model can judge.
  await expect(page.getByRole("radio", { name: "A model", exact: true })).toBeDisabled();
  await page.getByRole("switch", { name: "Strict" }).check();
  await check("verify-judge");
  await page.keyboard.press("Escape");
  await verify.write("Document", bridge.document);
  await verify.write("Response", "The bridge has 99 lamps.");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(verify.headline).toHaveText("1 not in the document");
  await expect(verify.result.getByText(/counts as wrong/)).toBeVisible();
  await check("verify-strict");

  await verify.write("Response", bridge.response);
  setLink("held");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(page.getByText("Checking…")).toBeVisible();
  await check("verify-running");
  setLink("cut");
  await expect(verify.result.getByRole("alert")).toContainText("The response was not verified");
  await expect(page.getByRole("status").filter({ hasText: "What you have typed stays here" })).toBeVisible();
  await expect(verify.field("Response")).toContainText(bridge.response);
  await check("verify-failed");
});

appTest("texts, results and history are there again, until they are cleared", async ({ page }) => {
  const verify = new VerifyPage(page);
  await verify.open();
  await page.getByRole("button", { name: "Try an example" }).click();
  await expect(verify.headline).not.toBeEmpty();
  await verify.write("Prompt", "");
  await verify.write("Document", bridge.document);
  await verify.write("Response", bridge.response);
  await verify.verify();
  await expect(verify.headline).toContainText("contradicted");
  await new ServerPage(page).open();
  await verify.open();
  await expect(verify.headline).toContainText("contradicted");
  await expect(verify.marks("Response").first()).toBeVisible();

  await verify.field("Response").click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.insertText(" It is red.");
  await expect(verify.result.getByText("The texts have changed since")).toBeVisible();
  await expect(verify.marks("Response")).toHaveCount(0);
  await expect(verify.marks("Document")).toHaveCount(0);
  await page.reload();
  await expect(page).toHaveURL(/\/verify$/);
  await expect(verify.field("Response")).toContainText("It is red.");
  await expect(verify.headline).toContainText("contradicted");

  await verify.write("Response", "2 + 2 = 4.");
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(verify.history.getByRole("button", { name: /2 \+ 2 = 4/ })).toBeVisible();
  await verify.write("Response", bridge.response);
  await verify.history.getByRole("button", { name: /2 \+ 2 = 4/ }).click();
  await expect(verify.field("Response")).toHaveText("2 + 2 = 4.");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(verify.field("Response")).toHaveText(bridge.response);
  await verify.history.getByRole("button", { name: "Clear history" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Clear history" }).click();
  await expect(verify.history).toBeHidden();
  await expect(verify.field("Response")).toHaveText(bridge.response);

  await verify.write("Response", "x".repeat(4_000_001));
  await expect(verify.verifyButton).toHaveAccessibleDescription(/The response is too long/);
  await expect(verify.field("Response")).toHaveAccessibleDescription(/1 too many/);
});
