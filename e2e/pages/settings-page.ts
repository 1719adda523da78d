import { expect, type Locator, type Page } from "@playwright/test";

/** Settings, as a person meets it. */
export class SettingsPage {
  readonly page: Page;
  readonly connections: Locator;
  readonly dialog: Locator;

  constructor(page: Page) {
    this.page = page;
    this.connections = page.getByRole("region", { name: "Connections", exact: true });
    this.dialog = page.getByRole("dialog", { name: "Add a connection" });
  }

  async open(): Promise<void> {
    await this.page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Settings" }).click();
    await expect(this.connections).toBeVisible();
  }

  /** Opens the form of a new connection to a service that is known by name. */
  async add(service: RegExp): Promise<void> {
    await this.connections.getByRole("button", { name: "Add connection" }).click();
    await this.dialog.getByRole("textbox", { name: "Service" }).or(this.dialog.getByRole("combobox")).first().click();
    await this.page.getByRole("option", { name: service }).click();
  }

  async fill(fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, text] of Object.entries(fields)) {
      await this.dialog.getByLabel(label, { exact: true }).fill(text);
    }
  }

  async save(): Promise<void> {
    await this.dialog.getByRole("button", { name: "Save and test" }).click();
  }

  /** The result of the last test of a connection. */
  report(name: string): Locator {
    return this.connections.getByRole("region", { name: `Test of ${name}` });
  }
}
