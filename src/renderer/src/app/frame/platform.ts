/** Whether this is the desktop app, whose page has a scheme of its own. */
export const isDesktop = location.protocol === "sheaf:";

const isMac = navigator.userAgent.includes("Mac");

/** What the main modifier key is called on this machine. */
export const modKey = isMac ? "⌘" : "Ctrl";
/** What the other one is called. */
export const altKey = isMac ? "⌥" : "Alt";
