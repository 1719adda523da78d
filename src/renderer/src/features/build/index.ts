export { BuildPage, type BuildPageProps, DraftsError } from "./build-page.tsx";
export { findLatestDraft, getDraftSessions, openEmptyDraft } from "./draft/draft-sessions.ts";
export { examples } from "./draft/examples.ts";
export { explainUnreadable } from "./source/readable-files.ts";
