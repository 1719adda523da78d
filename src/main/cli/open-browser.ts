import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandProcess } from "./command-process.ts";

interface Host {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The program that opens a file in the user's browser, and its arguments before the file; undefined where there is no display. */
export function findOpener({ platform, env }: Host): [program: string, ...args: string[]] | undefined {
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ["xdg-open"] : undefined;
}

/** A page that redirects to the address. */
function writeRedirect(address: string): string {
  return `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="referrer" content="no-referrer">
  <meta http-equiv="refresh" content="0; url=${address}">
  <title>Sheaf</title>
  <p><a href="${address}">Open Sheaf</a></p>
</html>
`;
}

/** How long a browser may take to read the file, in milliseconds. */
const lifetime = 60_000;

/**
 * Opens an address in the user's browser, without waiting for it. The address is a credential, and all users of a machine
 * can read the arguments of a program: so a file is opened that redirects there, and that only its owner may read. It is
 * removed when the address is `spent`, or after a minute.
 *
 * @returns a function that removes the file; null where there is no display, or no room for a file. A missing browser, or
 * one that can't read the file, is no error
 */
export async function openBrowser(
  address: string,
  spent: Promise<void>,
  { env, machine }: Pick<CommandProcess, "env" | "machine">,
): Promise<(() => Promise<void>) | null> {
  const opener = findOpener({ platform: process.platform, env });
  const folder = opener && (await mkdtemp(join(tmpdir(), "sheaf-open-")).catch(() => undefined));
  if (opener === undefined || folder === undefined) return null;
  // What can't be removed now is in the system's own folder for such files.
  const remove = () => rm(folder, { recursive: true, force: true }).catch(() => {});
  const file = join(folder, "open-sheaf.html");
  try {
    await writeFile(file, writeRedirect(address), { mode: 0o600 });
  } catch {
    await remove();
    return null;
  }
  const [program, ...args] = opener;
  spawn(program, [...args, file], { detached: true, stdio: "ignore", env })
    .on("error", () => {})
    .unref();
  machine.after(lifetime, remove, { unref: true });
  void spent.then(remove);
  return remove;
}
