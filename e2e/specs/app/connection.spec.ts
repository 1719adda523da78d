import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { hostsTest as test } from "../../fixtures/hosts-test.ts";

test("a page whose host was started again says that it needs the fresh address, and goes on once that is opened", async ({
  page,
  hosts,
  dataDir,
}) => {
  const before = await hosts.start({ pace: "instant", dataDir });
  const port = Number(new URL(before.address).port);
  const connection = (name: string) => page.getByRole("banner").getByRole("button", { name });
  await page.goto(before.address);
  await expect(connection("This computer")).toBeVisible();
  await before.stop();
  await expect(page.getByRole("status").filter({ hasText: "Sheaf’s service does not answer." })).toBeVisible();
  await writeFile(join(dataDir, "files", "file-1"), "not in the journal");

  const after = await hosts.start({ pace: "instant", dataDir, port });
  await expect(page.getByText("Open the address that it printed")).toBeVisible();

  const other = await page.context().newPage();
  await other.goto(after.address);
  await expect(connection("This computer")).toBeVisible();

  const notice = other.getByRole("status").filter({ hasText: "1 file in" });
  await expect(notice).toContainText("quarantine. Nothing was deleted.");
  await notice.getByRole("button", { name: "Close this notice" }).click();
  await expect(notice).toHaveCount(0);
});

test("a browser that was not let in is shown how to get in, and is let in by an address, for every tab", async ({
  page,
  hosts,
}) => {
  const host = await hosts.start({ pace: "instant" });
  const { origin } = new URL(host.address);
  const heading = page.getByRole("heading", { name: "Sheaf needs a fresh address" });
  await page.goto(origin);
  await expect(heading).toBeVisible();
  await page.goto(`${origin}/#code=wrong`);
  await expect(heading).toBeVisible();
  await page.goto(host.address);
  await expect(page.getByRole("button", { name: "This computer" })).toBeVisible();
  expect(page.url()).not.toContain("code");

  const other = await page.context().newPage();
  await other.goto(origin);
  await expect(other.getByRole("button", { name: "This computer" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("button", { name: "This computer" })).toBeVisible();
  // It is spent, which is no reason to turn away a browser that was let in.
  await other.goto(host.address);
  await expect(other.getByRole("button", { name: "This computer" })).toBeVisible();
  expect(await page.context().cookies()).toEqual([]);
});
