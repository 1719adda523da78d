import type { Notice } from "#contract";
import type { Logger } from "#main/base";

/** What the user should know of the data folder as it was found: on stderr, in the app and, by code and count, in /health. */
export interface Notices {
  add(notice: Notice): void;
  list(): readonly Notice[];
  /** Takes back all with these codes. */
  remove(...codes: readonly Notice["code"][]): void;
}

/** Damage that an examination tells more of. */
const damages: ReadonlySet<Notice["code"]> = new Set(["journal_damaged", "journal_restored", "record_damaged"]);

/** The command that examines a data folder: the log is read where there are commands. */
function doctorCommand(dir: string): string {
  const quoted = /^[\w./~:@+-]+$/.test(dir) ? dir : `'${dir.replaceAll("'", "'\\''")}'`;
  return `sheaf doctor ${quoted}`;
}

/** `dir`: the data folder, where there is one on the disk. */
export function createNotices(logger: Logger, dir?: string): Notices {
  let notices: readonly Notice[] = [];
  return {
    add(notice) {
      notices = [...notices, notice];
      const { code, message, details } = notice;
      const more = damages.has(code) && dir !== undefined && `${doctorCommand(dir)} tells more.`;
      logger.warn([message, details, more].filter(Boolean).join(" "));
    },
    list: () => notices,
    remove(...codes) {
      notices = notices.filter(({ code }) => !codes.includes(code));
    },
  };
}
