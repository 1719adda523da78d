import { ActionIcon, Menu, Tooltip } from "@mantine/core";
import { IconChevronDown, IconFile, IconPlus, IconTrash } from "@tabler/icons-react";
import { useQueries, useQuery } from "@tanstack/react-query";
import { use, useState } from "react";
import { useStore } from "zustand";
import type { Draft } from "#contract";
import { useApi } from "../../../bridge/index.ts";
import { ClockAhead, formatRelativeTime } from "../../../components/index.ts";
import { draftRemovals } from "../../../state/removals.ts";
import { createBuildQueries } from "../queries.ts";
import classes from "./draft.module.css";
import { isBlank } from "./draft-content.ts";
import { useSession } from "./draft-session.ts";
import { showName, useNewDraft, useRemoveOpenDraft } from "./use-drafts.tsx";

interface DraftMenuProps {
  readonly onOpenDraft: (draftId: string, options?: { readonly replace?: boolean }) => void;
}

/** New draft, another draft, or none of this one. */
export function DraftMenu({ onOpenDraft }: DraftMenuProps) {
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  const newDraft = useNewDraft(onOpenDraft);
  const remove = useRemoveOpenDraft(onOpenDraft);
  return (
    <Menu position="bottom-start" width={340} opened={isOpen} onChange={setOpen}>
      <Tooltip label="Drafts" disabled={isOpen}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={28} aria-label="Drafts">
            <IconChevronDown size={17} />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconPlus size={16} />}
          onClick={() => isBlank(session.store.content.getState()) || newDraft.mutate()}
        >
          New draft
        </Menu.Item>
        {isOpen ? <OtherDrafts ownId={session.id} onOpen={onOpenDraft} /> : null}
        <Menu.Divider />
        <Menu.Item leftSection={<IconTrash size={16} />} color="var(--red)" onClick={() => remove.mutate()}>
          Remove draft
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface OtherDraftsProps {
  readonly ownId: string;
  readonly onOpen: (draftId: string) => void;
}

function OtherDrafts({ ownId, onOpen }: OtherDraftsProps) {
  const queries = createBuildQueries(useApi());
  const removed = useStore(draftRemovals.state);
  const { data: drafts = [] } = useQuery(queries.drafts());
  const others = drafts.filter(({ id }) => id !== ownId && !removed.has(id));
  const sources = useQueries({ queries: others.map(({ sourceId }) => queries.source(sourceId)) });
  const now = Date.now() + use(ClockAhead);
  if (others.length === 0) return null;
  return (
    <>
      <Menu.Divider />
      <Menu.Label>Other drafts</Menu.Label>
      <div className={classes.drafts}>
        {others.map((draft, index) => (
          <Menu.Item key={draft.id} leftSection={<IconFile size={16} />} onClick={() => onOpen(draft.id)}>
            <div className={classes.draftName}>{showName(draft.name)}</div>
            <div className={classes.aboutDraft}>
              {nameSource(draft, sources[index]?.data?.name)}, {formatRelativeTime(draft.updatedAt, now)}
            </div>
          </Menu.Item>
        ))}
      </div>
    </>
  );
}

function nameSource(draft: Draft, sourceName: string | undefined): string {
  return draft.sourceId === null ? "No source yet" : (sourceName ?? "Its source");
}
