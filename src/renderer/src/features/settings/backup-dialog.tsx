import { Button, Modal, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import classes from "./data-section.module.css";

interface BackupDialogProps {
  readonly opened: boolean;
  readonly suggestedPlace: string;
  /** Why the last attempt did not begin. */
  readonly error: ReactNode;
  readonly onClose: () => void;
  readonly onBackUp: (place: string) => void;
}

/** Asks where a copy of the data folder goes, where no system dialog does. */
export function BackupDialog({ opened, onClose, ...form }: BackupDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Back up the data folder" size={520}>
      <BackupForm {...form} onClose={onClose} />
    </Modal>
  );
}

function BackupForm({ suggestedPlace, error, onClose, onBackUp }: Omit<BackupDialogProps, "opened">) {
  const [place, setPlace] = useState(suggestedPlace);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onBackUp(place.trim());
      }}
    >
      <TextInput
        data-autofocus
        label="New folder"
        description="On the computer where Sheaf runs. It must be new or empty. Keys are not copied."
        value={place}
        onChange={(event) => setPlace(event.currentTarget.value)}
        required
      />
      {error}
      <div className={classes.dialogActions}>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="filled">
          Back up
        </Button>
      </div>
    </form>
  );
}
