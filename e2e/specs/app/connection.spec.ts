import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { expectOpen } from "../../fixtures/expect-open.ts";
import { hostsTest as test } from "../../fixtures/hosts-test.ts";

test("a browser is let in once by an address, for every tab, and needs another when its host was started again", async ({
  page,
  hosts,
  dataDir,
}) => {
  const before = await hosts.start({ pace: "instant", dataDir });
  const { origin, port } = new URL(before.address);
  await page.clock.install();
  const heading = page.getByRole("heading", { name: "Sheaf needs a fresh address" });
  await page.goto(origin);
  await expect(heading).toBeVisible();
  await page.goto(`${origin}/#code=wrong`);
  await expect(heading).toBeVisible();
  await page.goto(before.address);
  await expectOpen(page);
  expect(page.url()).not.toContain("code");

  const other = await page.context().newPage();
  await other.goto(origin);
  await expectOpen(other);
  // It is spent, which is no reason to turn away a browser that was let in.
  await other.goto(before.address);
  await expectOpen(other);
  await page.reload();
  await expectOpen(page);
  expect(await page.context().cookies()).toEqual([]);

  await page.getByRole("link", { name: "Server" }).click();
  const clock = page.getByRole("main").locator("time").first();
  const first = (await clock.textContent()) ?? "";
  await expect(clock).not.toHaveText(first);
  await before.stop();
  await expect(page.getByRole("status").filter({ hasText: "Sheaf’s service does not answer." })).toBeVisible();
  const last = (await clock.textContent()) ?? "";
  await page.clock.fastForward(5_000);
  await expect(clock).toHaveText(last);
  await writeFile(join(dataDir, "files", "file-1"), "not in the journal");
  const after = await hosts.start({ pace: "instant", dataDir, port: Number(port) });
  await expect(page.getByText("Open the address that it printed")).toBeVisible();
  await other.goto(after.address);
  await expectOpen(page);
  const notice = other.getByRole("status").filter({ hasText: "1 file that no record names was set aside" });
  await expect(notice).toContainText("Nothing was deleted.");
  await notice.getByRole("button", { name: "Close this notice" }).click();
  await expect(notice).toHaveCount(0);
});
