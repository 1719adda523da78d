import { ActionIcon, TextInput, Tooltip } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconChevronDown, IconChevronUp, IconSearch, IconX } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import type { ResultFilter, ResultHit, ResultSort, SearchProgress } from "#contract";
import { describeError, useRpc } from "../../../bridge/index.ts";
import { formatNumber, formatPart } from "../../../components/index.ts";
import { useResults } from "../results-context.tsx";
import classes from "./find-bar.module.css";

export interface FindBarProps {
  readonly sort: ResultSort | null;
  /** The row that the search continues from; null for the top. */
  readonly row: number | null;
  readonly onHit: (hit: ResultHit) => void;
  readonly onClose: () => void;
}

/** Milliseconds without a key before a search begins. */
const typingPause = 250;

/** Looks for a text in all lines that are shown: how many have it, and the one before and after. */
export function FindBar({ sort, row, onHit, onClose }: FindBarProps) {
  const {
    batchId,
    search: { q: text = "" },
    onSearch,
    filter,
    merged,
  } = useResults();
  const rpc = useRpc();
  const [typed, setTyped] = useState(text);
  const [place, setPlace] = useState<number | null>(null);
  const { progress, problem } = useSearch(batchId, text, filter, merged);
  const search = useDebouncedCallback((wanted: string) => {
    setPlace(null);
    onSearch({ q: wanted === "" ? undefined : wanted });
  }, typingPause);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);

  const step = async (backwards: boolean) => {
    if (typed !== text) search.flush();
    if (typed === "") return;
    const choice = { filter, ...(sort && { sort }), ...(merged && { merged }) };
    const hit = await rpc.results.findHit({ batchId, text: typed, ...choice, from: row ?? -1, backwards });
    if (hit === null) return;
    setPlace(hit.place);
    onHit(hit);
  };
  const stepSafely = (backwards: boolean) => void step(backwards).catch(() => setPlace(null));

  return (
    <search className={classes.root}>
      <TextInput
        ref={input}
        size="xs"
        className={classes.input}
        aria-label="Find in the lines"
        placeholder="Find in the lines"
        leftSection={<IconSearch size={14} />}
        value={typed}
        dir="auto"
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          search(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") stepSafely(event.shiftKey);
          else if (event.key === "Escape") onClose();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <output className={classes.count}>{problem ?? describeSearch(progress, place)}</output>
      <Step label="Previous hit (Shift Enter)" icon={<IconChevronUp size={15} />} onClick={() => stepSafely(true)} />
      <Step label="Next hit (Enter)" icon={<IconChevronDown size={15} />} onClick={() => stepSafely(false)} />
      <Step label="Close the search (Esc)" icon={<IconX size={15} />} onClick={onClose} />
    </search>
  );
}

/** How far a search is: `3 of 120`, `120 so far, 40%`. */
function describeSearch(progress: SearchProgress | null, place: number | null): string {
  if (progress === null) return "";
  const { hits, bytes, size, isDone } = progress;
  if (!isDone) return `${formatNumber(hits)} so far, ${formatPart(size === 0 ? 0 : bytes / size)}`;
  if (hits === 0) return "Not found";
  return place === null
    ? `${formatNumber(hits)} ${hits === 1 ? "line" : "lines"}`
    : `${formatNumber(place)} of ${formatNumber(hits)}`;
}

/** Follows a search as long as it is looked at. */
function useSearch(batchId: string, text: string, filter: ResultFilter, merged: boolean) {
  const rpc = useRpc();
  const [progress, setProgress] = useState<SearchProgress | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const end = new AbortController();
    setProgress(null);
    setProblem(null);
    const follow = async () => {
      const events = await rpc.results.search(
        { batchId, text, filter, ...(merged && { merged }) },
        { signal: end.signal },
      );
      for await (const event of events) if (!end.signal.aborted) setProgress(event);
    };
    if (text !== "") {
      follow().catch((error: unknown) => {
        if (!end.signal.aborted) setProblem(describeError(error).message);
      });
    }
    return () => end.abort();
  }, [rpc, batchId, text, filter, merged]);
  return { progress, problem };
}

interface StepProps {
  readonly label: string;
  readonly icon: React.ReactNode;
  readonly onClick: () => void;
}

function Step({ label, icon, onClick }: StepProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon size={26} variant="subtle" color="gray" aria-label={label} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
