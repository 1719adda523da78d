/** What packages have besides the app: icons of the one SVG, copyright, changelog, the link in /usr/bin. */
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Resvg } from "@resvg/resvg-js";
import pngToIco from "png-to-ico";
import png2icons from "png2icons";
import { inProject } from "../scripts/setup/paths.mjs";

/** Pixels a side: those of the icon theme that desktops of Linux look in. */
const linuxSizes = [16, 22, 24, 32, 48, 64, 128, 256, 512];
const windowsSizes = [16, 24, 32, 48, 64, 128, 256];

/**
 * @param {string} folder made anew
 * @param {{ version: string, author: { name: string, email: string }, homepage: string }} about from package.json
 */
export async function writeResources(folder, { version, author, homepage }) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "icons"), { recursive: true });
  const svg = readFileSync(inProject("src/renderer/public/icon.svg"), "utf8");
  /** @param {number} size */
  const draw = (size) => new Resvg(svg, { fitTo: { mode: "width", value: size } }).render().asPng();
  for (const size of linuxSizes) writeFileSync(join(folder, `icons/${size}x${size}.png`), draw(size));
  writeFileSync(join(folder, "icon.ico"), await pngToIco(windowsSizes.map(draw)));
  const icns = png2icons.createICNS(draw(1024), png2icons.BICUBIC, 0);
  if (icns === null) throw new Error("The icon for macOS could not be made.");
  writeFileSync(join(folder, "icon.icns"), icns);

  writeFileSync(join(folder, "copyright"), describeCopyright(author, homepage));
  writeFileSync(join(folder, "changelog"), describeChanges(version, author, homepage));
  // Windows makes links for administrators alone, and has no use for this one.
  if (process.platform === "linux") symlinkSync("/opt/Sheaf/sheaf-desktop", join(folder, "sheaf-desktop"));
}

/**
 * In Debian's machine-readable form.
 * @param {{ name: string, email: string }} author
 * @param {string} homepage
 */
function describeCopyright({ name, email }, homepage) {
  const [, , copyright, , ...terms] = readFileSync(inProject("LICENSE"), "utf8").trimEnd().split("\n");
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Sheaf
Upstream-Contact: ${name} <${email}>
Source: ${homepage}
Comment: Electron, Chromium and the libraries in the app have licenses of their own. They are in LICENSE.electron.txt and
 LICENSES.chromium.html in /opt/Sheaf, and in the files licenses.md within /opt/Sheaf/resources/app.asar. Node and the libraries of
 the command line have theirs in LICENSE.node.txt and out/main/licenses.md in /opt/Sheaf/cli.

Files: *
Copyright: ${copyright?.replace(/^Copyright \(c\) /, "")}
License: Expat

License: Expat
${terms.map((line) => (line === "" ? " ." : ` ${line}`)).join("\n")}
`;
}

/**
 * @param {string} version
 * @param {{ name: string, email: string }} author
 * @param {string} homepage
 */
function describeChanges(version, { name, email }, homepage) {
  const seconds = Number(process.env.SOURCE_DATE_EPOCH ?? Date.now() / 1000);
  const date = new Date(seconds * 1000).toUTCString().replace("GMT", "+0000");
  return `sheaf (${version}) stable; urgency=medium\n\n  * What changed is at ${homepage}\n\n -- ${name} <${email}>  ${date}\n`;
}
