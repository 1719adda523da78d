import { posix, win32 } from "node:path";

interface RunningProgram {
  readonly platform: NodeJS.Platform;
  readonly execPath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The file that the user starts, where that is not the running program: AppImages and portable programs run from a folder that is
 * removed with their process. Null for an installed app, also where another program of these kinds has started it and handed its
 * variables on.
 */
export function findStartedFile({ platform, execPath, env }: RunningProgram): string | null {
  const { APPIMAGE, APPDIR, PORTABLE_EXECUTABLE_FILE, TEMP } = env;
  const [file, folder] = platform === "win32" ? [PORTABLE_EXECUTABLE_FILE, TEMP] : [APPIMAGE, APPDIR];
  if (!file || !folder) return null;
  const { relative, isAbsolute } = platform === "win32" ? win32 : posix;
  const way = relative(folder, execPath);
  return way.startsWith("..") || isAbsolute(way) ? null : file;
}
