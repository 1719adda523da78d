import { formatCount } from "#contract";
import type { Examined } from "#main/doctor";

/** Findings that a box of the system's shows. */
const mostShown = 10;

/** What a check of the data folder has found, for a box of the system's: damage first. */
export function describeCheck({ findings, batches, files }: Examined): {
  readonly message: string;
  readonly detail: string;
} {
  const damages = findings.filter(({ isDamage }) => isDamage);
  const shown = [...damages, ...findings.filter(({ isDamage }) => !isDamage)].slice(0, mostShown);
  const more = findings.length - shown.length;
  const lines = shown.map(({ path, message }) => `${path}: ${message}`);
  return {
    message:
      damages.length === 0 ? "No damage was found." : `Damage was found in ${formatCount(damages.length, "place")}.`,
    detail: [
      ...lines,
      ...(more > 0 ? [`And ${formatCount(more, "more", "more")}.`] : []),
      `${formatCount(batches, "batch", "batches")} and ${formatCount(files, "file")} were read. Nothing was changed.`,
    ].join("\n\n"),
  };
}
