import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import config from "../electron-builder.config.mjs";

/** The installer's own lines, without comments. */
const script = readFileSync(new URL("windows/installer.nsh", import.meta.url), "utf8").replaceAll(/^;.*$/gm, "");

/** The lines of a macro, with those of the macros that it inserts, and their parameters filled in. */
function expand(name: string, values: readonly string[] = []): readonly string[] {
  const [, head = "", body = ""] = new RegExp(`!macro ${name}\\b(.*)\\n([\\s\\S]*?)!macroend`).exec(script) ?? [];
  const parameters = head.trim().split(/\s+/);
  return body.split("\n").flatMap((line) => {
    const filled = parameters.reduce((text, key, at) => text.replaceAll(`\${${key}}`, values[at] ?? ""), line.trim());
    const [, inner, given = ""] = /^!insertmacro (\w+)(.*)$/.exec(filled) ?? [];
    return inner === undefined
      ? [filled]
      : expand(
          inner,
          [...given.matchAll(/"([^"]*)"/g)].map(([, value = ""]) => value),
        );
  });
}

const keysIn = (lines: readonly string[], calls: string) =>
  lines.flatMap((line) => new RegExp(`^(?:${calls}) HKCU "Software\\\\Classes\\\\([^"]+)"`).exec(line)?.[1] ?? []);

it("uninstalling removes from the registry what installing has written there", () => {
  const written = keysIn(expand("customInstall"), "WriteRegStr|WriteRegNone");
  const removed = keysIn(expand("customUnInstall"), "DeleteRegKey|DeleteRegValue");
  expect(written.length).toBeGreaterThan(8);
  expect(written.filter((key) => !removed.some((gone) => key === gone || key.startsWith(`${gone}\\`)))).toEqual([]);
});

it("uninstalling removes the key of each of the app's links, where it still starts this app, and not for an update", () => {
  const lines = expand("customUnInstall");
  for (const scheme of config.protocols.flatMap(({ schemes }) => schemes)) {
    const at = lines.indexOf(`DeleteRegKey HKCU "Software\\Classes\\${scheme}"`);
    expect(lines.slice(at - 3, at).join(" ")).toMatch(
      /^ReadRegStr \$0 HKCU "[^"]+\\command" "" \$\{ifNot\} \$\{isUpdated\} \$\{andIf\} \$0 == '"\$INSTDIR\\/,
    );
  }
});
