import { useEffect } from "react";

/** What a place begins with, the best first: what it names itself, its list, its first field. */
const firstTargets = [
  "[data-first-focus]",
  '[role="grid"]',
  'textarea, [contenteditable="true"], input:not([type="file"], [type="hidden"], :disabled)',
  "button:not(:disabled)",
] as const;
/** How long a place may take to show its list before its first field has the focus, in milliseconds. */
const patienceForList = 400;
/** How long it may take to show anything. */
const patience = 4_000;

/** How long a dialog that closes has to give the focus back to what opened it, in milliseconds. */
const patienceForReturn = 40;

/** Nothing has the focus: it was on something that is gone. */
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
    const wanted = performance.now() - begun < patienceForList ? firstTargets.slice(0, 2) : firstTargets;
    for (const selector of wanted) {
      const target = [...place.querySelectorAll<HTMLElement>(selector)].find((element) => element.checkVisibility());
      target?.focus({ preventScroll: true });
      if (target !== undefined && document.activeElement === target) return stop();
    }
    if (performance.now() - begun > patience) stop();
  };
  const observer = new MutationObserver(aim);
  observer.observe(place, { childList: true, subtree: true });
  const timer = setTimeout(aim, patienceForList + 1);
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
    const remember = ({ target }: Event) => {
      last = target instanceof Element ? target : null;
    };
    // Whoever clicks beside everything wants the focus nowhere.
    const forget = () => {
      last = null;
    };
    const observer = new MutationObserver(() => {
      if (last === null || !isFocusLost()) return;
      if (!last.isConnected) {
        last = null;
        setTimeout(() => isFocusLost() && focusPlace(), patienceForReturn);
      } else if (last instanceof HTMLElement && !last.matches(":disabled")) {
        last.focus({ preventScroll: true });
      }
    });
    document.addEventListener("focusin", remember, { signal: end.signal });
    document.addEventListener("pointerdown", forget, { signal: end.signal });
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
