import { Button } from "@mantine/core";
import { IconArrowBackUp, IconArrowForwardUp } from "@tabler/icons-react";
import { useStore } from "zustand";
import { IconAction, modKey } from "../../../components/index.ts";
import { DraftMenu } from "./draft-menu.tsx";
import { namePlaceholder } from "./draft-name.ts";
import { KeptNote } from "./save-status.tsx";
import { useContent, useSession } from "./session-context.ts";
import classes from "./title-bar.module.css";

interface TitleBarProps {
  readonly onOpenDraft: (draftId: string, options?: { readonly replace?: boolean }) => void;
  readonly onOpenBatch: (batchId: string) => void;
}

/** The draft's name, whether it is kept, and what can be done with it as a whole. */
export function TitleBar({ onOpenDraft, onOpenBatch }: TitleBarProps) {
  const { store, view } = useSession();
  const name = useContent((content) => content.name);
  const batchId = useStore(view, (state) => state.batchId);
  const { canUndo, canRedo } = useStore(store.undoState);
  const steps = [
    { label: "Undo", keys: `${modKey} Z`, icon: IconArrowBackUp, isOn: canUndo, run: store.undo },
    { label: "Redo", keys: `${modKey} Shift Z`, icon: IconArrowForwardUp, isOn: canRedo, run: store.redo },
  ];
  return (
    <header className={classes.root}>
      <h1 className={classes.heading}>
        <input
          className={classes.name}
          aria-label="Name of the batch"
          placeholder={namePlaceholder}
          maxLength={200}
          value={name}
          spellCheck={false}
          onChange={({ currentTarget }) => store.edit({ name: currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) event.currentTarget.blur();
          }}
        />
      </h1>
      <DraftMenu onOpenDraft={onOpenDraft} />
      <KeptNote />
      <span className={classes.spacer} />
      {batchId === null ? null : (
        <Button size="xs" variant="subtle" onClick={() => onOpenBatch(batchId)}>
          Show the last batch
        </Button>
      )}
      {steps.map(({ label, keys, icon, isOn, run }) => (
        <IconAction
          key={label}
          label={`${label} (${keys})`}
          name={label}
          icon={icon}
          isOff={!isOn}
          size={30}
          onClick={run}
        />
      ))}
    </header>
  );
}
