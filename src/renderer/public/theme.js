// Runs before anything is drawn, so that a reload in another theme than the system's shows no frame of that. The page's own
// script is deferred, and inline scripts are not allowed. `themeKey` of src/app/theme/theme.ts, which Mantine reads and writes.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem("sheaf.theme");
  } catch {
    // The browser keeps nothing: the system's theme is taken.
  }
  const isDark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  const theme = isDark ? "dark" : "light";
  document.documentElement.setAttribute("data-mantine-color-scheme", theme);
  // Until the styles are there, the canvas has the colour of this.
  document.querySelector('meta[name="color-scheme"]').content = theme;
})();
