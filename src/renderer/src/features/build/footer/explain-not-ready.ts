import type { CheckProgress, Source } from "#contract";
import { formatCount } from "../../../components/index.ts";
import { isCheckUnwritten } from "../preview/is-unwritten.ts";

/** Why a draft can't be submitted as it stands, with the next step; null when it can. */
export function explainNotReady(
  isConnected: boolean,
  source: Pick<Source, "rowCount" | "holds"> | null,
  check: Pick<CheckProgress, "errorCount" | "groups"> | null,
): string | null {
  if (!isConnected) return "Waiting for the connection";
  if (source === null) return "Choose a source first";
  if (source.rowCount === 0) return "The source has no rows";
  if (check !== null && isCheckUnwritten(check)) return "Write the prompt first";
  if (check !== null && check.errorCount > 0) return `Fix ${formatCount(check.errorCount, "error")} first`;
  return null;
}
