/** For a block that scrolls and holds nothing to focus: the keyboard must reach it to scroll it (WCAG 2.1.1). */
export const scrollable = { tabIndex: 0 } as const;
