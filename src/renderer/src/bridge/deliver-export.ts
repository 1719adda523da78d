import type { ExportOutcome } from "#contract";

/** Follows the link of an export, which makes the browser save the file. The desktop app has saved it already. */
export function deliverExport(outcome: ExportOutcome, document: Document): void {
  if (outcome.how !== "link") return;
  const link = document.createElement("a");
  link.href = outcome.href;
  link.download = outcome.fileName;
  document.body.append(link);
  link.click();
  link.remove();
}
