import { useEffect } from "react";

/** The elements that a page gives the focus to, the best first: one that it marks itself, its list, its first field. */
const firstTargets = [
  "[data-first-focus]",
  '[role="grid"]',
  'textarea, [contenteditable="true"], input:not([type="file"], [type="hidden"], :disabled)',
  "button:not(:disabled)",
] as const;
/** How long a page may take to show its list before its first field has the focus, in milliseconds. */
const listTimeoutMs = 400;
/** How long it may take to show anything. */
const timeoutMs = 4_000;

/** How long a dialog that closes has to give the focus back to what opened it, in milliseconds. */
const returnTimeoutMs = 40;

/** Whether nothing has the focus, because what had it was removed. */
function isFocusLost(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body;
}

/**
 * Gives the focus to the page that is open: to its list or first field as soon as that is there, and to the page itself
 * until then. Whatever the user focuses meanwhile stays.
 */
function focusPage(): () => void {
  const page = document.getElementById("main");
  if (page === null) return () => {};
  page.focus({ preventScroll: true });
  const begun = performance.now();
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
  };
  const aim = () => {
    if (document.activeElement !== page) return stop();
    const wanted = performance.now() - begun < listTimeoutMs ? firstTargets.slice(0, 2) : firstTargets;
    for (const selector of wanted) {
      const target = [...page.querySelectorAll<HTMLElement>(selector)].find((element) => element.checkVisibility());
      target?.focus({ preventScroll: true });
      if (target !== undefined && document.activeElement === target) return stop();
    }
    if (performance.now() - begun > timeoutMs) stop();
  };
  const observer = new MutationObserver(aim);
  observer.observe(page, { childList: true, subtree: true });
  const timer = setTimeout(aim, listTimeoutMs + 1);
  aim();
  return stop;
}

/** Gives the focus to a page that opens, unless it has it already, or the user is elsewhere, such as in a dialog. */
export function useFocusOnOpen(): void {
  useEffect(() => {
    const cameByLink = document.activeElement?.closest("nav");
    return isFocusLost() || cameByLink ? focusPage() : undefined;
  }, []);
}

/**
 * Keeps the focus from getting lost: when the focused element is removed, the page gets it; one that was disabled for a while
 * gets it back. Called once, by the shell.
 */
export function useFocusGuard(): void {
  useEffect(() => {
    const end = new AbortController();
    let last: Element | null = null;
    const record = ({ target }: Event) => {
      last = target instanceof Element ? target : null;
    };
    // A click outside every control is meant to leave the focus nowhere.
    const clear = () => {
      last = null;
    };
    const observer = new MutationObserver(() => {
      if (last === null || !isFocusLost()) return;
      if (!last.isConnected) {
        last = null;
        setTimeout(() => isFocusLost() && focusPage(), returnTimeoutMs);
      } else if (last instanceof HTMLElement && !last.matches(":disabled")) {
        last.focus({ preventScroll: true });
      }
    });
    document.addEventListener("focusin", record, { signal: end.signal });
    document.addEventListener("pointerdown", clear, { signal: end.signal });
    observer.observe(document.body, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ["disabled"],
    });
    return () => {
      end.abort();
      observer.disconnect();
    };
  }, []);
}
