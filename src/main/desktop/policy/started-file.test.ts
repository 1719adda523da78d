import { expect, it } from "vitest";
import { findStartedFile } from "./started-file.ts";

const appImage = { APPIMAGE: "/home/ada/Sheaf.AppImage", APPDIR: "/tmp/.mount_Sheaf1" };
const portable = {
  PORTABLE_EXECUTABLE_FILE: "D:\\Sheaf-portable.exe",
  TEMP: "C:\\Users\\ada\\AppData\\Local\\Temp",
};
const installed = "C:\\Users\\ada\\AppData\\Local\\Programs\\Sheaf\\Sheaf.exe";

it.each([
  ["an AppImage", "linux", "/tmp/.mount_Sheaf1/sheaf-desktop", appImage, "/home/ada/Sheaf.AppImage"],
  ["an installed app", "linux", "/opt/Sheaf/sheaf-desktop", {}, null],
  ["an installed app that an AppImage has started", "linux", "/opt/Sheaf/sheaf-desktop", appImage, null],
  ["a folder with a similar name", "linux", "/tmp/.mount_Sheaf12/sheaf-desktop", appImage, null],
  ["a portable program", "win32", `${portable.TEMP}\\nsx1.tmp\\app\\Sheaf.exe`, portable, "D:\\Sheaf-portable.exe"],
  ["an installed app on Windows", "win32", installed, { TEMP: portable.TEMP }, null],
  ["an installed app that a portable program has started", "win32", installed, portable, null],
  ["an app on macOS", "darwin", "/Applications/Sheaf.app/Contents/MacOS/Sheaf", {}, null],
] as const)("of %s", (_what, platform, execPath, env, file) => {
  expect(findStartedFile({ platform, execPath, env })).toBe(file);
});
