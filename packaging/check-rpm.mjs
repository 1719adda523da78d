import { call } from "./files.mjs";

/** What an rpm has besides the app's own folder. */
const outside = [
  "/usr/bin/sheaf-desktop",
  "/usr/share/applications/sheaf-desktop.desktop",
  "/usr/share/licenses/sheaf",
  "/usr/share/licenses/sheaf/LICENSE",
  "/usr/share/mime/packages/sheaf-desktop.xml",
];

/**
 * What is wrong with an rpm, a sentence each.
 * @param {string} file
 */
export function checkRpm(file) {
  const paths = call("rpm", ["-qlp", file]).trim().split("\n");
  const icons = paths.filter((path) => path.startsWith("/usr/share/icons/hicolor/"));
  const others = paths.filter((path) => !path.startsWith("/opt/Sheaf") && !icons.includes(path));
  const recommended = call("rpm", ["-qp", "--recommends", file]).trim();
  const scripts = call("rpm", ["-qp", "--scripts", file]).trim();
  const modes = call("rpm", ["-qplv", file]);
  return [
    ...(others.join() === outside.join() ? [] : [`It has other files: ${others.join(", ")}.`]),
    ...(icons.length === 9 ? [] : [`It has ${icons.length} icons, and not 9.`]),
    ...(paths.includes("/opt/Sheaf/resources/app.asar") ? [] : ["It has no app.asar."]),
    ...(recommended === "libsecret" ? [] : [`It recommends "${recommended}", and not libsecret.`]),
    ...(scripts === "" ? [] : [`It has scripts: ${scripts}`]),
    ...(/^-rwsr-xr-x .* root +root .*chrome-sandbox$/m.test(modes) ? [] : ["chrome-sandbox is not root's helper."]),
  ];
}
