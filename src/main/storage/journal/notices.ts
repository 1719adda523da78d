import type { Notice } from "#contract";
import type { Logger } from "#main/base";

/** What the user should know of the data folder as it was found: on stderr, in the app and, by code and count, in /health. */
export interface Notices {
  add(notice: Notice): void;
  list(): readonly Notice[];
  /** Takes back all with these codes. */
  remove(...codes: readonly Notice["code"][]): void;
}

export function createNotices(logger: Logger): Notices {
  let notices: readonly Notice[] = [];
  return {
    add(notice) {
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
