import { Button, Tabs, TextInput, Tooltip } from "@mantine/core";
import { IconCopyPlus, IconPencil, IconTrash } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { longestVersionName } from "#contract";
import { IconAction } from "../../../components/index.ts";
import { useContent, usePrompt, useSession } from "../draft/draft-session.ts";
import panes from "../panes/panes.module.css";
import { ProblemCount } from "../preview/problems.tsx";
import type { VersionCheck } from "../preview/use-checks.ts";
import classes from "./prompt.module.css";

/** The head of the prompt: the versions of it that are compared, and what can be done with the one that is looked at. */
export function VersionsBar({ checks }: { readonly checks: readonly VersionCheck[] }) {
  const { store } = useSession();
  const versions = useContent((content) => content.versions);
  const { key: selected, name } = usePrompt((version) => version);
  const [isRenaming, setRenaming] = useState(false);
  const tabs = useRef(new Map<string, HTMLButtonElement>());
  const adder = useRef<HTMLButtonElement>(null);
  const hasSeveral = versions.length > 1;

  useEffect(() => {
    tabs.current.get(selected)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [selected]);

  function remove(): void {
    store.removeVersion();
    // Its button goes with the last but one.
    if (versions.length === 2) adder.current?.focus();
  }
  function rename(to: string | null, isByKey: boolean): void {
    if (to !== null) store.renameVersion(to);
    setRenaming(false);
    if (isByKey) requestAnimationFrame(() => tabs.current.get(selected)?.focus());
  }

  return (
    <header className={panes.head}>
      <h2 id="build-prompt">Prompt</h2>
      {hasSeveral && isRenaming ? (
        <NameField key={selected} name={name} taken={versions.map((version) => version.name)} onEnd={rename} />
      ) : null}
      {hasSeveral && !isRenaming ? (
        <Tabs.List className={classes.versions} aria-label="Versions of the prompt">
          {versions.map((version) => {
            const check = checks.find(({ key }) => key === version.key);
            return (
              <Tabs.Tab
                key={version.key}
                ref={(tab) => {
                  if (tab === null) tabs.current.delete(version.key);
                  else tabs.current.set(version.key, tab);
                }}
                value={version.key}
                className={panes.tab}
                rightSection={check === undefined ? null : <ProblemCount check={check} />}
              >
                <span dir="auto">{version.name}</span>
              </Tabs.Tab>
            );
          })}
        </Tabs.List>
      ) : null}
      <span className={panes.spacer} />
      {hasSeveral && !isRenaming ? (
        <>
          <IconAction label={`Rename ${name}`} icon={IconPencil} onClick={() => setRenaming(true)} />
          <IconAction label={`Remove ${name}`} icon={IconTrash} onClick={remove} />
        </>
      ) : null}
      <Tooltip label="Add a version: a copy of this prompt, asked of the same rows, to be compared" multiline maw={260}>
        <Button
          ref={adder}
          size="compact-sm"
          variant="subtle"
          className={classes.adder}
          data-short={hasSeveral || undefined}
          aria-label="Add version"
          leftSection={<IconCopyPlus size={15} stroke={1.7} />}
          onClick={store.addVersion}
        >
          Add version
        </Button>
      </Tooltip>
    </header>
  );
}

interface NameFieldProps {
  readonly name: string;
  readonly taken: readonly string[];
  /** The name is null where it stays as it is. By a key the focus is to go back to the version. */
  readonly onEnd: (name: string | null, isByKey: boolean) => void;
}

/** Another name for a version: Enter takes it, Escape does not. */
function NameField({ name, taken, onEnd }: NameFieldProps) {
  const [typed, setTyped] = useState(name);
  const wanted = typed.trim();
  const isTaken = wanted !== name && taken.includes(wanted);
  const end = (isByKey: boolean) => onEnd(wanted === "" || isTaken || wanted === name ? null : wanted, isByKey);
  return (
    <TextInput
      size="xs"
      autoFocus
      aria-label={`New name of version ${name}`}
      dir="auto"
      maxLength={longestVersionName}
      value={typed}
      error={isTaken ? "Another version is called so" : null}
      classNames={{ error: classes.nameError }}
      onFocus={({ currentTarget }) => currentTarget.select()}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={() => end(false)}
      onKeyDown={({ key }) => {
        if (key === "Enter" && !isTaken) end(true);
        if (key === "Escape") onEnd(null, true);
      }}
    />
  );
}
