/** Where the choice of theme is kept; Mantine reads and writes the same key. */
export const themeKey = "sheaf.theme";

/**
 * Sets the theme before anything is drawn, so that the window does not flash. Inline scripts are not allowed
 * here, so this is the first thing that the page's own script does.
 */
export function applyThemeEarly(document: Document, storage: Storage): void {
  const chosen = storage.getItem(themeKey);
  const dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
}
