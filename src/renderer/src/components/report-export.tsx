import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { type ExportOutcome, formatCount } from "#contract";
import { deliverExport, type Rpc } from "../bridge/index.ts";
import { showFailure } from "./messages.tsx";

interface ExportReport {
  /** What was written: "line" by default. */
  readonly unit?: string;
  /** What the user should know of the file. It stays on screen then. */
  readonly notes?: readonly string[];
  /** Whether something is missing in the file. */
  readonly isIncomplete?: boolean;
  /** False where a browser shows its download well enough. */
  readonly tellsDownload?: boolean;
}

/** Delivers an export to the browser, or reports where the desktop app has written it, and shows it there. */
export function reportExport(
  outcome: ExportOutcome,
  rpc: Rpc,
  { unit = "line", notes = [], isIncomplete = false, tellsDownload = true }: ExportReport = {},
): void {
  deliverExport(outcome, document);
  if (outcome.how === "cancelled" || (outcome.how === "link" && !tellsDownload)) return;
  const isSaved = outcome.how === "saved";
  const where = isSaved ? outcome.path : `${outcome.fileName} goes to your downloads.`;
  notifications.show({
    color: isIncomplete ? "orange" : "green",
    title: isSaved ? `${formatCount(outcome.lines, unit)} exported` : "Export started",
    autoClose: notes.length > 0 ? false : 12_000,
    style: { whiteSpace: "pre-line" },
    message: (
      <>
        <div>{[where, ...notes].join("\n")}</div>
        {isSaved ? <ShowInFolder id={outcome.id} rpc={rpc} /> : null}
      </>
    ),
  });
}

function ShowInFolder({ id, rpc }: { readonly id: string; readonly rpc: Rpc }) {
  const show = () =>
    rpc.exports.showInFolder({ id }).catch((error: unknown) => showFailure("The folder could not be shown", error));
  return (
    <Button size="xs" mt={6} onClick={() => void show()}>
      Show in folder
    </Button>
  );
}
