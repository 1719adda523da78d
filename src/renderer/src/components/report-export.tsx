import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { describeExport, describeMissing, type ExportOutcome, formatCount } from "#contract";
import { deliverExport, type Rpc } from "../bridge/index.ts";
import { showFailure } from "./messages.tsx";

interface ExportReport {
  /** What was written: "line" by default. */
  readonly unit?: string;
  /** False where a browser shows its download well enough. */
  readonly tellsDownload?: boolean;
}

/**
 * Delivers an export to the browser, or reports where the desktop app has written it, and shows it there. Notes about the file
 * stay on screen.
 */
export function reportExport(
  outcome: ExportOutcome,
  rpc: Rpc,
  { unit = "line", tellsDownload = true }: ExportReport = {},
): void {
  deliverExport(outcome, document);
  if (outcome.how === "cancelled" || (outcome.how === "link" && !tellsDownload)) return;
  const isSaved = outcome.how === "saved";
  const noteFile = isSaved ? outcome.noteFile : undefined;
  const notes = [...describeExport(outcome), ...(noteFile === undefined ? [] : [`This is also in ${noteFile}.`])];
  const where = isSaved ? outcome.path : `${outcome.fileName} goes to your downloads.`;
  notifications.show({
    color: describeMissing(outcome).length > 0 ? "orange" : "green",
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
