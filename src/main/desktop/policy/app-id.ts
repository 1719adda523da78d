/** The app's name to macOS and Windows. Packages are made with it (electron-builder.config.mjs), so it stays what it is. */
export const appId = "app.sheaf.desktop";
