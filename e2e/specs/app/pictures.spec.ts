import { mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { samplePictures } from "../../../src/main/build/testing/sample-pictures.ts";
import { appTest, expect } from "../../fixtures/app-test.ts";

appTest(
  "pictures of this computer are shown, and sent once their folder is allowed",
  async ({ page, buildPage }, info) => {
    await mkdir(info.outputPath("photos"), { recursive: true });
    const folder = await realpath(info.outputPath("photos"));
    const paths = ["a.png", "b.png"].map((name) => join(folder, name));
    for (const path of paths) await writeFile(path, samplePictures.png);
    const table = info.outputPath("photos.csv");
    await writeFile(table, `name,photo\n${paths.map((path, at) => `n${at},${path}\n`).join("")}`);

    await buildPage.openNew();
    await buildPage.dropFile(table);
    await buildPage.write("User message 1", "What is it, {{ name }}?");
    await buildPage.expectNoProblems("2");
    await buildPage.prompt.getByRole("combobox", { name: "Picture of message 1" }).selectOption("photo");
    const pictures = buildPage.prompt.getByRole("region", { name: "Pictures of User message 1" });
    await expect(pictures).toContainText("“photo” names 2 pictures of this computer.");
    await expect(pictures.getByRole("img", { name: paths[0] ?? "" })).toBeVisible();
    await expect(page.getByText("Allow the pictures first")).toBeVisible();
    const tryButton = buildPage.preview.getByRole("button", { name: "Try 2 rows" });
    await expect(tryButton).toBeDisabled();
    await expect(page.getByText("tokens in", { exact: true })).toBeHidden();
    await expect(buildPage.preview.getByText(`Picture at ${paths[0]}`)).toBeVisible();

    await pictures.getByRole("button", { name: `Send pictures from this computer: ${folder}` }).click();
    await expect(pictures).toContainText("2 pictures of this computer are read and sent");
    await buildPage.expectNoProblems("2");
    await expect(tryButton).toBeEnabled();
    await expect(buildPage.preview.getByRole("img", { name: "Sent with the message" })).toBeVisible();

    await pictures.getByRole("button", { name: "Don’t send" }).click();
    await expect(tryButton).toBeDisabled();
    await page.keyboard.press("ControlOrMeta+z");
    await expect(tryButton).toBeEnabled();
    await buildPage.preview.getByRole("button", { name: "Try 2 rows" }).click();
    await expect(buildPage.preview.getByRole("img", { name: paths[1] ?? "" })).toBeVisible();
    await buildPage.submit();
    // A picture stands beside the answer, small in the table and whole in the line; one elsewhere is not fetched.
    const results = page.getByRole("grid", { name: "Results" });
    await expect(results.getByRole("img", { name: paths[1] ?? "" })).toBeVisible();
    await results.getByRole("row").nth(1).click();
    const inspector = page.getByRole("complementary");
    await expect(inspector.getByRole("img", { name: paths[0] ?? "" })).toBeVisible();
    await expect(inspector.locator("figcaption")).toHaveText(paths[0] ?? "");
  },
);
