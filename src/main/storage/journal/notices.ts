import type { Notice } from "#contract";
import type { Logger } from "#main/base";

/** What the user should know of the data folder as it was found: on stderr, in the app and, by code and count, in /health. */
export interface Notices {
  add(notice: Notice): void;
  list(): readonly Notice[];
  /** Takes back all with these codes. */
  remove(...codes: readonly Notice["code"][]): void;
}

/** The command that examines a data folder. */
export function doctorCommand(dir: string): string {
  const quoted = /^[\w./~:@+-]+$/.test(dir) ? dir : `'${dir.replaceAll("'", "'\\''")}'`;
  return `sheaf doctor ${quoted}`;
}

/** `dir`: the data folder, where there is one on the disk. */
export function createNotices(logger: Logger, dir?: string): Notices {
  let notices: readonly Notice[] = [];
  return {
    add(added) {
      const isOfRecord = added.code === "record_damaged" && dir !== undefined;
      const notice = isOfRecord ? { command: doctorCommand(dir), ...added } : added;
      notices = [...notices, notice];
      const { message, details, command } = notice;
      logger.warn([message, details, command && `${command} tells more.`].filter(Boolean).join(" "));
    },
    list: () => notices,
    remove(...codes) {
      notices = notices.filter(({ code }) => !codes.includes(code));
    },
  };
}
