import type { Source } from "#contract";
import panes from "../panes/pane.module.css";
import { Messages } from "./messages.tsx";
import { Parameters } from "./parameters.tsx";
import { ReadyRequests } from "./ready-requests.tsx";

interface PromptPaneProps {
  readonly source: Source | null;
}

const noColumns: readonly string[] = [];

/** What is asked of each row: messages with placeholders, the model and its parameters. */
export function PromptPane({ source }: PromptPaneProps) {
  return (
    <section className={panes.pane} style={{ gridArea: "prompt" }} aria-labelledby="build-prompt">
      <header className={panes.head}>
        <h2 id="build-prompt">Prompt</h2>
      </header>
      <div className={panes.body}>
        {source?.holds === "requests" ? (
          <ReadyRequests />
        ) : (
          <>
            <Messages columns={source?.columns ?? noColumns} />
            <Parameters columns={source?.columns ?? noColumns} />
          </>
        )}
      </div>
    </section>
  );
}
