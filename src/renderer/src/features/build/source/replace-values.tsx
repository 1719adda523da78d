import { Button, NativeSelect, Popover, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Replacement, Source } from "#contract";
import { describeError, useApi, useRpc } from "../../../bridge/index.ts";
import { formatCount, ModelPicker } from "../../../components/index.ts";
import { useModelNames } from "../prompt/model-choice.tsx";
import { createBuildQueries } from "../queries.ts";
import classes from "./line-editor.module.css";
import { useStoreSource } from "./use-source.ts";

const modelPath = "body.model";

/** Replaces a value in all lines of a file of requests. */
export function ReplaceValue({ source }: { readonly source: Source }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" width={320} trapFocus returnFocus>
      <Popover.Target>
        <Button size="compact-xs" onClick={() => setOpen(!isOpen)}>
          Replace a value
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <ReplaceForm source={source} onDone={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

function ReplaceForm({ source, onDone }: { readonly source: Source; readonly onDone: () => void }) {
  const models = useModelNames();
  const [path, setPath] = useState(modelPath);
  const [chosen, setChosen] = useState<string | null>(null);
  const [to, setTo] = useState("");
  const values = useQuery(createBuildQueries(useApi()).values(source, path.trim()));
  const set = useSetReplacements(source, onDone);
  const found = values.data ?? [];
  const isModel = path.trim() === modelPath;
  // A model that is not offered is what most people came to replace.
  const usual = found.find(({ value }) => isModel && models.length > 0 && !models.includes(value)) ?? found[0];
  const from = found.find(({ value }) => value === chosen) ?? usual;
  const error = values.error ?? set.error;
  return (
    <form
      className={classes.replace}
      onSubmit={(event) => {
        event.preventDefault();
        if (from !== undefined) set.mutate([...source.replacements, { path: path.trim(), from: from.value, to }]);
      }}
    >
      <TextInput
        size="xs"
        label="At"
        placeholder={modelPath}
        value={path}
        spellCheck={false}
        onChange={({ currentTarget }) => setPath(currentTarget.value)}
      />
      <NativeSelect
        size="xs"
        label="From"
        data-autofocus
        disabled={found.length === 0}
        data={found.map(({ value, lines }) => ({ value, label: `${value} · ${formatCount(lines, "line")}` }))}
        value={from?.value ?? ""}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      />
      {isModel ? (
        <ModelPicker
          size="xs"
          label="To"
          models={models}
          value={to}
          onChange={setTo}
          comboboxProps={{ withinPortal: false }}
        />
      ) : (
        <TextInput
          size="xs"
          label="To"
          value={to}
          spellCheck={false}
          onChange={({ currentTarget }) => setTo(currentTarget.value)}
        />
      )}
      {error === null ? null : <p className={classes.fault}>{describeError(error).message}</p>}
      {values.isSuccess && found.length === 0 ? <p>No line has a text or number there.</p> : null}
      <Button
        size="xs"
        type="submit"
        variant="filled"
        loading={set.isPending}
        disabled={from === undefined || to === from.value || (isModel && to.trim() === "")}
      >
        {from === undefined ? "Replace" : `Replace in ${formatCount(from.lines, "line")}`}
      </Button>
    </form>
  );
}

/** What is replaced in all lines, each with a way to undo it. */
export function Replacements({ source }: { readonly source: Source }) {
  const set = useSetReplacements(source, () => {});
  if (source.replacements.length === 0) return null;
  return (
    <ul className={classes.replacements} aria-label="Replaced in all lines">
      {source.replacements.map(({ path, from, to, lines }, at) => (
        <li key={`${path} ${from} ${to}`}>
          <span dir="auto">
            <code>{path}</code> {from} → {to}
          </span>
          <span className={classes.count}>{formatCount(lines, "line")}</span>
          <Button
            size="compact-xs"
            variant="subtle"
            loading={set.isPending}
            aria-label={`Undo the replacement of ${from}`}
            onClick={() => set.mutate(source.replacements.toSpliced(at, 1))}
          >
            Undo
          </Button>
        </li>
      ))}
    </ul>
  );
}

function useSetReplacements({ id }: Source, onDone: () => void) {
  const rpc = useRpc();
  const store = useStoreSource();
  return useMutation({
    mutationFn: (replacements: readonly Replacement[]) =>
      rpc.sources.setReplacements({ id, replacements: replacements.map(({ path, from, to }) => ({ path, from, to })) }),
    onSuccess(source) {
      store(source);
      onDone();
    },
  });
}
