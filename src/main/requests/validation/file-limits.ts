import { mockServerDefaults } from "#contract";
import type { FileLimits } from "./rules.ts";

const defaultFileLimits: FileLimits = {
  bytes: mockServerDefaults.maxFileBytes,
  requests: mockServerDefaults.maxLines,
  lineBytes: mockServerDefaults.maxLineBytes,
};
const defaultGeneratedLimits = { bytes: 4_000_000_000, requests: 1_000_000 };

interface ChosenLimits {
  readonly fileLimits?: Partial<FileLimits> | undefined;
  readonly generatedFileLimits?: Partial<Omit<FileLimits, "lineBytes">> | undefined;
}

/** The limits of uploads, and those of files that the app makes, which are never smaller. */
export function chooseFileLimits({ fileLimits: chosen, generatedFileLimits }: ChosenLimits) {
  const fileLimits = { ...defaultFileLimits, ...chosen };
  const generated = { ...defaultGeneratedLimits, ...generatedFileLimits };
  return {
    fileLimits,
    generatedFileLimits: {
      bytes: Math.max(generated.bytes, fileLimits.bytes),
      requests: Math.max(generated.requests, fileLimits.requests),
      lineBytes: fileLimits.lineBytes,
    },
  };
}
