import { Button } from "@mantine/core";
import { IconAlertTriangle, IconArrowBackUp, IconArrowForwardUp } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { use } from "react";
import { useStore } from "zustand";
import { describeError, isDiskRefusal } from "../../../bridge/index.ts";
import {
  ClockAhead,
  formatDuration,
  formatExactTime,
  formatRelativeTime,
  IconAction,
  modKey,
  showFailure,
  useNow,
} from "../../../components/index.ts";
import { ConnectionSwitcher } from "./connection-switcher.tsx";
import classes from "./draft.module.css";
import { DraftMenu } from "./draft-menu.tsx";
import { useContent, useSession } from "./draft-session.ts";
import { namePlaceholder } from "./use-drafts.tsx";

interface TitleBarProps {
  readonly onOpenDraft: (draftId: string, options?: { readonly replace?: boolean }) => void;
  readonly onOpenBatch: (batchId: string) => void;
}

/** The draft's name, whether it is saved, and what can be done with it as a whole. */
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
    <header className={classes.bar}>
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
      <SaveStatus />
      <span className={classes.spacer} />
      <ConnectionSwitcher />
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

/** Shows whether what is on screen is saved and since when; if it is not, how to save it. */
function SaveStatus() {
  const { autosave } = useSession();
  const save = useStore(autosave.state);
  const now = useNow(1_000) + use(ClockAhead);
  if (save.status === "failed" && isDiskRefusal(save.error)) {
    return (
      <span className={classes.failed} role="alert" title={describeError(save.error).message}>
        <IconAlertTriangle size={16} aria-hidden />
        Not saved yet: saved by itself once the disk takes it
      </span>
    );
  }
  if (save.status === "failed") {
    return (
      <span className={classes.failed} role="alert">
        <IconAlertTriangle size={16} aria-hidden />
        <span title={describeError(save.error).message}>Draft not saved</span>
        <Button size="compact-sm" variant="default" onClick={() => void autosave.flush()}>
          Try again
        </Button>
      </span>
    );
  }
  // The bar below shows why, and what can be done.
  if (save.status === "conflict") return <span className={classes.failed}>Draft not saved</span>;
  if (save.status === "saving") return <span className={classes.saved}>Saving…</span>;
  return (
    <span className={classes.saved} title={formatExactTime(save.at)}>
      Draft saved {formatAge(save.at, Math.max(now, save.at))}
    </span>
  );
}

/** `just now`, `4 s ago`, then as everywhere else. */
function formatAge(at: number, now: number): string {
  const age = now - at;
  if (age < 2_000) return "just now";
  return age < 60_000 ? `${formatDuration(Math.floor(age / 1000) * 1000)} ago` : formatRelativeTime(at, now);
}

/** Reports that a draft was changed in another window meanwhile, and asks which of the two to keep. */
export function ConflictBar() {
  const { autosave, overwriteStored, loadStored } = useSession();
  const { status } = useStore(autosave.state);
  const settle = useMutation({
    mutationFn: (way: () => Promise<void>) => way(),
    onError: (error) => showFailure("The other version could not be read", error),
  });
  if (status !== "conflict") return null;
  return (
    <div className={classes.conflict} role="alert">
      <IconAlertTriangle size={18} className={classes.conflictIcon} aria-hidden />
      <div className={classes.conflictText}>
        <strong className={classes.conflictTitle}>This draft was changed in another window.</strong> What is here is not
        saved yet. Saving it overwrites the other version; loading the other can be undone.
      </div>
      <div className={classes.conflictActions}>
        <Button size="xs" disabled={settle.isPending} onClick={() => settle.mutate(overwriteStored)}>
          Save mine
        </Button>
        <Button size="xs" disabled={settle.isPending} onClick={() => settle.mutate(loadStored)}>
          Load the other
        </Button>
      </div>
    </div>
  );
}
