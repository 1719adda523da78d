import type { Notice } from "#contract";
import type { Logger } from "../ports.ts";

/** What the user should know of the data folder as it was found: on stderr, in the app and, by code and count, in /health. */
export interface Notices {
  add(notice: Notice): void;
  list(): readonly Notice[];
}

export function createNotices(logger: Logger): Notices {
  const notices: Notice[] = [];
  return {
    add(notice) {
      notices.push(notice);
      logger.warn(notice.message);
    },
    list: () => notices,
  };
}
