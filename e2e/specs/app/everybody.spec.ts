import type { Page } from "@playwright/test";
import { appTest, expect } from "../../fixtures/app-test.ts";
import { runAnsweredBatches, runTopicVersions } from "../../fixtures/batches.ts";
import { listControlFaults } from "../../fixtures/control-faults.ts";

/** How many pages the page is on paper. */
async function countPaper(page: Page): Promise<number> {
  const pdf = await page.pdf({ format: "A4" });
  return pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

appTest("every place can be read with forced colours, at 400 % zoom and on paper", async ({ page, host }) => {
  appTest.setTimeout(180_000);
  await runTopicVersions(host, "Topics", 60);
  const { batches } = await host.client.batches.list({});
  const ids = batches.map(({ id }) => id);
  const [first = ""] = ids;
  await host.client.grades.start({
    batchIds: ids,
    grader: { name: "json", path: "$.topic" },
    column: "expected topic",
  });
  const open = (path: string) => page.goto(new URL(path, host.origin).href);
  const outlineOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).outlineStyle);

  await appTest.step("with forced colours what is current, chosen and drawn is seen", async () => {
    await page.emulateMedia({ forcedColors: "active" });
    await open(`/batches/${first}?line=2`);
    await expect(page.locator("tr[aria-selected=true]")).toBeVisible();
    expect(await outlineOf("tr[aria-selected=true]")).toBe("solid");
    expect(await outlineOf("nav a[data-active]")).toBe("solid");
    expect(await outlineOf(".mantine-SegmentedControl-label[data-active]")).toBe("solid");
    await open(`/batches/${first}?tab=charts`);
    const bar = page.locator("span[data-drawn=bar]").first();
    await expect(bar).toBeVisible();
    const [ground, drawn] = await bar.evaluate((element) => [
      getComputedStyle(document.body).backgroundColor,
      getComputedStyle(element).backgroundColor,
    ]);
    expect(drawn).not.toBe(ground);
    await open("/settings");
    const track = page.locator(".mantine-Switch-track").first();
    await expect(track).toBeVisible();
    expect(await track.evaluate((element) => getComputedStyle(element).borderStyle)).toBe("solid");
    await page.emulateMedia({ forcedColors: "none" });
  });

  await appTest.step(
    "at 400 % zoom a table has its head and three rows, and the places stay beside the page",
    async () => {
      const usual = page.viewportSize();
      await page.setViewportSize({ width: 320, height: 256 });
      for (const [path, name] of [
        [`/batches/${first}`, "Results"],
        ["/batches", "Batches"],
        ["/files", "Files"],
        [`/compare?ids=${ids.join()}&show=all`, "Compared lines"],
      ] as const) {
        await open(path);
        const table = page.getByRole("grid", { name });
        await expect(table.getByRole("row").nth(1)).toBeAttached();
        const room = await table.evaluate((element) => (element.parentElement?.clientHeight ?? 0) - 28);
        const rows = (await table.getByRole("row").count()) - 1;
        expect.soft(room, path).toBeGreaterThanOrEqual(Math.min(3, rows) * 34);
        const [rail, main] = await Promise.all([
          page.getByRole("navigation", { name: "Pages" }).boundingBox(),
          page.getByRole("main").boundingBox(),
        ]);
        expect.soft((rail?.x ?? 0) + (rail?.width ?? 0), path).toBeLessThanOrEqual((main?.x ?? 0) + 1);
      }
      const { id: draft } = await host.client.drafts.fromBatch({ batchId: first, as: "copy" });
      await open(`/build/${draft}`);
      await expect(
        page
          .getByRole("grid", { name: /^Rows of/ })
          .getByRole("row")
          .nth(1),
      ).toBeAttached();
      expect.soft((await page.evaluate(listControlFaults)).filter((fault) => fault.startsWith("overlap"))).toEqual([]);
      await host.client.drafts.remove({ id: draft });
      if (usual !== null) await page.setViewportSize(usual);
    },
  );

  await appTest.step("in the lowest window Compare has four rows, and its figures open from a line", async () => {
    const usual = page.viewportSize();
    await page.setViewportSize({ width: 720, height: 450 });
    await open(`/compare?ids=${ids.join()}&show=all`);
    const compared = page.getByRole("grid", { name: "Compared lines" });
    await expect(compared.getByRole("row").nth(4)).toBeInViewport({ ratio: 1 });
    const figures = page.getByRole("button", { name: /All figures$/ });
    await expect(figures).toContainText("%");
    await figures.click();
    await expect(page.getByRole("table", { name: "Figures of the batches" })).toBeVisible();
    if (usual !== null) await page.setViewportSize(usual);
  });

  await appTest.step("the Guide, Grades and Compare are printed to their ends", async () => {
    await open("/guide");
    await expect(page.getByRole("article")).toContainText(/\w{4}/);
    await page.emulateMedia({ media: "print" });
    await expect.poll(() => countPaper(page)).toBeGreaterThan(2);
    await open(`/batches/${first}?tab=grades`);
    await expect(page.getByRole("region", { name: "Labels" })).toBeVisible();
    const isCut = await page.getByRole("main").evaluate((main) =>
      [...main.querySelectorAll("*")].some((part) => {
        const { overflowY } = getComputedStyle(part);
        return overflowY !== "visible" && !(part instanceof SVGElement) && part.scrollHeight > part.clientHeight + 1;
      }),
    );
    expect(isCut).toBe(false);
    await open(`/compare?ids=${ids.join()}&show=all`);
    const compared = page.getByRole("grid", { name: "Compared lines" });
    await expect(compared.getByText("t-60", { exact: true })).toBeVisible();
    expect(await countPaper(page)).toBeGreaterThan(1);
    await runAnsweredBatches(host, { Many: 640 });
    const { batches: all } = await host.client.batches.list({});
    // On paper it draws a thousand rows: not while it loads, and not for an expectation that would describe them all.
    await page.emulateMedia({ media: "screen" });
    await open(`/batches/${all.find(({ name }) => name === "Many")?.id}`);
    await expect(page.getByRole("grid", { name: "Results" }).getByRole("row").nth(5)).toContainText("gsm8k");
    await page.emulateMedia({ media: "print" });
    await page.getByText(/^Rows 1 to 5\d\d of 640\. Export the table to get all rows\.$/).waitFor();
    // About 600 rows, and no empty page for those that aren't there.
    expect(await countPaper(page)).toBeLessThan(30);
    await page.emulateMedia({ media: "screen" });
  });

  await appTest.step("Change opens a connection without a preset with its fields", async () => {
    const parts = { name: "By hand", adapter: "openai-batch" as const, preset: null, url: "http://127.0.0.1:9/v1" };
    const { id } = await host.client.connections.save({ connection: parts, key: "sk-1234567890" } as never);
    await open("/settings");
    await page
      .getByRole("button", { name: /^(Change|Edit).*/ })
      .first()
      .click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("textbox", { name: "Name", exact: true })).toHaveValue("By hand");
    await expect(dialog.getByRole("textbox", { name: /Address|URL/ })).toHaveValue(parts.url);
    // Other walks share this host.
    await host.client.connections.remove({ id });
  });
});
