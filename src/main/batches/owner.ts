import { defaultScope, type Vendor } from "#main/base";
import type { BatchRecord, FileRecord } from "#main/storage";

/** Whose files and batches a query is about: those that one vendor's clients have in one scope on this computer. */
export interface Owner {
  readonly scope: string;
  readonly vendor: Vendor;
}

/** Of what names none. */
export const defaultOwner: Owner = { scope: defaultScope, vendor: "openai" };

/** Whether a record is part of the answer to a query; of one without an owner all are. */
export function belongsTo(
  { connection, scope, vendor }: Pick<BatchRecord | FileRecord, "connection" | "scope" | "vendor">,
  owner: Owner | undefined,
): boolean {
  return owner === undefined || (connection === null && scope === owner.scope && vendor === owner.vendor);
}
