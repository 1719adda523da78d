import { useEffect } from "react";

/** What a place begins with, the best first: what it names itself, its list, its first field. */
const firstTargets = [
  "[data-first-focus]",
  '[role="grid"]',
  'textarea, [contenteditable="true"], input:not([type="file"], [type="hidden"], :disabled)',
  "button:not(:disabled)",
] as const;
/** How long a place may take to show its list before its first field has the focus, in milliseconds. */
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
 * Gives the focus to the place that is open: to its list or first field as soon as that is there, and to the place itself
 * until then. Whatever the user focuses meanwhile stays.
 */
function focusPlace(): () => void {
  const place = document.getElementById("main");
  if (place === null) return () => {};
  place.focus({ preventScroll: true });
  const begun = performance.now();
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
  };
  const aim = () => {
    if (document.activeElement !== place) return stop();
    const wanted = performance.now() - begun < listTimeoutMs ? firstTargets.slice(0, 2) : firstTargets;
    for (const selector of wanted) {
      const target = [...place.querySelectorAll<HTMLElement>(selector)].find((element) => element.checkVisibility());
      target?.focus({ preventScroll: true });
      if (target !== undefined && document.activeElement === target) return stop();
    }
    if (performance.now() - begun > timeoutMs) stop();
  };
  const observer = new MutationObserver(aim);
  observer.observe(place, { childList: true, subtree: true });
  const timer = setTimeout(aim, listTimeoutMs + 1);
  aim();
  return stop;
}

/** Gives the focus to a place that opens, unless it has it already, or the user is elsewhere, such as in a dialog. */
export function useFocusOnOpen(): void {
  useEffect(() => {
    const cameByLink = document.activeElement?.closest("nav");
    return isFocusLost() || cameByLink ? focusPlace() : undefined;
  }, []);
}

/**
 * Keeps the focus from getting lost: when what has it goes away, the place gets it; when it was disabled for a while, it gets
 * it back. Called once, by the shell.
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
        setTimeout(() => isFocusLost() && focusPlace(), returnTimeoutMs);
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
