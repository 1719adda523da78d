export { BuildPage, type BuildPageProps, DraftsError } from "./build-page.tsx";
export { exampleContent } from "./draft/draft-content.ts";
export { findLatestDraft } from "./draft/draft-sessions.ts";
