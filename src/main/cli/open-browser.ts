import { spawn } from "node:child_process";

interface Place {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The program and arguments that open an address in the user's browser; undefined where there is no display for one. */
export function findOpener(
  address: string,
  { platform, env }: Place,
): [program: string, ...args: string[]] | undefined {
  if (platform === "darwin") return ["open", address];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", address];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ["xdg-open", address] : undefined;
}

/**
 * Opens an address in the user's browser, without waiting for it.
 * @returns false where there is no display; that there is no browser comes out later, and is no error
 */
export function openBrowser(address: string): boolean {
  const opener = findOpener(address, process);
  if (opener === undefined) return false;
  const [program, ...args] = opener;
  spawn(program, args, { detached: true, stdio: "ignore" })
    .on("error", () => {})
    .unref();
  return true;
}
