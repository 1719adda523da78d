/** What the main modifier key is called on this machine. */
export const modKey = navigator.userAgent.includes("Mac") ? "⌘" : "Ctrl";
