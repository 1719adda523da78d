import { describeFolder, sortDropped } from "../bridge/index.ts";
import { showFailure } from "./messages.tsx";

/** The files of what was dropped or pasted. Each folder is refused by name. */
export function takeDropped(transfer: DataTransfer | null): File[] {
  const { files, folders } = sortDropped(transfer);
  for (const { title, message } of folders.map(describeFolder)) showFailure(title, message);
  return files;
}
