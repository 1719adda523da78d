/** Electron's program for packages: the installed one, or a stand-in. */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Behind these bytes Electron's program has its fuses: tools that set them search for the bytes. */
const sentinel = "dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX";
/** The fuses as Electron ships them, one character each: on is 1. */
const fuses = "101100011";

const script = `#!/bin/sh
echo "This package was made without Electron's program, so it can't run (docs/packaging.md)." >&2
exit 1
`;

/**
 * Writes a folder that is laid out as Electron for Linux is, with a script in the place of its program.
 * @param {string} folder made anew
 * @param {string} version of Electron
 */
export function writeStandIn(folder, version) {
  rmSync(folder, { recursive: true, force: true });
  for (const name of ["locales", "resources"]) mkdirSync(join(folder, name), { recursive: true });
  const wire = Buffer.from([1, fuses.length]);
  writeFileSync(
    join(folder, "electron"),
    Buffer.concat([Buffer.from(`${script}# ${sentinel}`), wire, Buffer.from(`${fuses}\n`)]),
  );
  writeFileSync(join(folder, "chrome-sandbox"), script);
  for (const name of ["electron", "chrome-sandbox"]) chmodSync(join(folder, name), 0o755);
  writeFileSync(join(folder, "version"), version);
  writeFileSync(join(folder, "locales/en-US.pak"), "");
  writeFileSync(join(folder, "LICENSE"), "Electron's license is here in a package that runs.\n");
}
