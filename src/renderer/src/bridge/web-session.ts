import { webEntry } from "#contract";

/** What lets this browser in at its host; how is written down with `webEntry`. */
export interface WebSession {
  /** The token, after exchanging a code that is in the address. Null for a browser that has not been let in. Never rejects. */
  readToken(): Promise<string | null>;
  /** The host does not know the token (any more). */
  dropToken(token: string): void;
}

const storageKey = "sheaf-token";

/** How long the answer to a code is waited for, in milliseconds. */
const timeoutMs = 5_000;

/** What it needs of a window. */
interface SessionWindow {
  readonly location: Pick<Location, "hash" | "pathname" | "search">;
  readonly history: Pick<History, "state" | "replaceState">;
  readonly localStorage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
}

/** The session of a page in its browser's storage, which all tabs of its address share. */
export function createWebSession({ location, history, localStorage }: SessionWindow): WebSession {
  /** A token that the browser has no room for lets in this page alone. */
  let unstored: string | null = null;

  /** Takes the code out of the address at once, so that it is not copied, shared or bookmarked. */
  function takeCode(): string | null {
    const code = new URLSearchParams(location.hash.slice(1)).get(webEntry.codeParameter);
    if (code !== null) history.replaceState(history.state, "", location.pathname + location.search);
    return code;
  }

  async function exchange(code: string): Promise<void> {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(webEntry.exchangePath, { method: "POST", body: code, signal });
    if (!response.ok) return;
    const token = await response.text();
    unstored = token;
    localStorage.setItem(storageKey, token);
    unstored = null;
  }

  return {
    async readToken() {
      const code = takeCode();
      // A code that does not work is no reason to turn away a browser that was let in before.
      if (code !== null) await exchange(code).catch(() => undefined);
      return unstored ?? localStorage.getItem(storageKey);
    },
    dropToken(token) {
      if (unstored === token) unstored = null;
      // Another tab may have a better one by now.
      if (localStorage.getItem(storageKey) === token) localStorage.removeItem(storageKey);
    },
  };
}
