import { PlaygroundPage } from "../../features/playground/index.ts";
import { useDraftOfPrompt } from "../open-draft.ts";
import { Page } from "../shell/page.tsx";

/** `/playground`. */
export function PlaygroundRoute() {
  const draft = useDraftOfPrompt();
  return (
    <Page title="Playground">
      <PlaygroundPage onAddToBatch={draft.open} isAdding={draft.isOpening} />
    </Page>
  );
}
