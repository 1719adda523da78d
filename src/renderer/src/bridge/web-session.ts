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

/** The session of a page in its browser's storage, which all tabs of its address share. */
export function createWebSession({ location, history, localStorage }: Window): WebSession {
  /** Takes the code out of the address at once, so that it is not copied, shared or bookmarked. */
  function takeCode(): string | null {
    const code = new URLSearchParams(location.hash.slice(1)).get(webEntry.codeParameter);
    if (code !== null) history.replaceState(history.state, "", location.pathname + location.search);
    return code;
  }

  async function exchange(code: string): Promise<void> {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(webEntry.exchangePath, { method: "POST", body: code, signal });
    if (response.ok) localStorage.setItem(storageKey, await response.text());
  }

  return {
    async readToken() {
      const code = takeCode();
      // A code that does not work is no reason to turn away a browser that was let in before.
      if (code !== null) await exchange(code).catch(() => undefined);
      return localStorage.getItem(storageKey);
    },
    dropToken(token) {
      // Another tab may have a better one by now.
      if (localStorage.getItem(storageKey) === token) localStorage.removeItem(storageKey);
    },
  };
}
