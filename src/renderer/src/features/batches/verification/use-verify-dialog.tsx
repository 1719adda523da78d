import { Modal } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { BatchView, VerificationRun } from "#contract";
import { VerifyForm } from "./verify-form.tsx";

export interface VerifyDialog {
  readonly open: () => void;
  /** To be rendered by the place. */
  readonly dialog: ReactNode;
}

/** The dialog that starts the verification of a batch. */
export function useVerifyDialog(batch: BatchView, before: VerificationRun | null): VerifyDialog {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  const dialog = (
    <Modal opened={opened} onClose={close} title={`Verify the answers of “${batch.name}”`} size={520}>
      <VerifyForm batch={batch} before={before} onClose={close} />
    </Modal>
  );
  return { open: () => setOpened(true), dialog };
}
