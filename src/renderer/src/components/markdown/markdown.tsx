import { lazy } from "react";

/** A text with its Markdown drawn, safely. It comes as a chunk of its own: give it a Suspense with the plain text. */
export const MarkdownText = lazy(async () => ({ default: (await import("./markdown-text.tsx")).MarkdownText }));
