export interface BuildPlaceProps {
  /** The draft that the address names; null for the one that was open last, or a new one. */
  readonly draftId: string | null;
  /** Puts a draft into the address: with `replace` in the stead of the present one in the history. */
  readonly onOpenDraft: (draftId: string, options?: { readonly replace?: boolean }) => void;
  readonly onOpenBatch: (batchId: string) => void;
}

/** Where a table and a prompt become a batch. */
export function BuildPlace(_: BuildPlaceProps) {
  return null;
}
