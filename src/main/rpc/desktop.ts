import { BuildError } from "#main/build";
import { os, type RpcContext } from "./base.ts";
import type { DesktopHost } from "./desktop-host.ts";

/** @throws BuildError in a browser, which has none of it */
export function requireDesktop({ desktop }: RpcContext): DesktopHost {
  if (desktop === null) throw new BuildError("refused", "Only the desktop app can do this.");
  return desktop;
}

/** The page's part in the desktop app. */
export const desktop = os.desktop.router({
  requests: os.desktop.requests.handler(({ context, signal }) => requireDesktop(context).takeRequests(signal)),
  setCommands: os.desktop.setCommands.handler(({ context, input }) => requireDesktop(context).setCommands(input)),
  setTheme: os.desktop.setTheme.handler(({ context, input }) => requireDesktop(context).setTheme(input.theme)),
  setUnsaved: os.desktop.setUnsaved.handler(({ context, input }) => requireDesktop(context).setUnsaved(input)),
  preferences: os.desktop.preferences.handler(({ context }) => requireDesktop(context).preferences()),
  setPreferences: os.desktop.setPreferences.handler(({ context, input }) => {
    requireDesktop(context).setPreferences(input);
    return requireDesktop(context).preferences();
  }),
});
