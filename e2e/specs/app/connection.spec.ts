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
  await expect(connection("Reconnecting…")).toBeVisible();

  const after = await hosts.start({ pace: "instant", dataDir, port });
  await expect(connection("Needs a fresh address")).toBeVisible();
  await connection("Needs a fresh address").click();
  await expect(page.getByText("open the address that it printed")).toBeVisible();

  const other = await page.context().newPage();
  await other.goto(after.address);
  await expect(connection("This computer")).toBeVisible();
});
