/** Whether this is the desktop app, whose page has a scheme of its own. */
export const isDesktop = location.protocol === "sheaf:";

/** What the modifier key beside the main one is called on this machine. */
export const altKey = navigator.userAgent.includes("Mac") ? "⌥" : "Alt";
