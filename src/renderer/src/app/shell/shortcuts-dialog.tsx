import { Modal } from "@mantine/core";
import { useMemo } from "react";
import { altKey, formatKeys, modKey } from "../../components/index.ts";
import { type ShortcutGroup, useShortcutGroups } from "../../state/shortcuts.ts";
import classes from "./shortcuts-dialog.module.css";

export interface ShortcutsDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** All keys that do something right now, those of the page first. */
export function ShortcutsDialog({ opened, onClose }: ShortcutsDialogProps) {
  const groups = useShortcutGroups((state) => state.groups);
  const listed = useMemo(() => [...groups.values()].sort(byPageFirst), [groups]);
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" size={560}>
      <div className={classes.groups} tabIndex={-1} data-autofocus>
        {listed.map(({ title, shortcuts }) => (
          <section key={title}>
            <h3 className={classes.title}>{title}</h3>
            <dl className={classes.list}>
              {shortcuts.map(({ keys, label }) => (
                <div key={keys} className={classes.item}>
                  <dt>{label}</dt>
                  <dd className={classes.keys}>
                    {formatKeys(keys, { mod: modKey, alt: altKey }).map((key) => (
                      <kbd key={key} className={classes.key}>
                        {key}
                      </kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}

/** The shell's own group. */
export const everywhere = "Everywhere";

function byPageFirst(first: ShortcutGroup, second: ShortcutGroup): number {
  return Number(first.title === everywhere) - Number(second.title === everywhere);
}
