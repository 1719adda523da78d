import { Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { describeError, useApi } from "../../bridge/index.ts";
import { LongTextField, ModelPicker } from "../../components/index.ts";
import { type ParameterName, readParameter } from "./conversation.ts";
import classes from "./parameters.module.css";
import { usePlayground } from "./playground-store.ts";

const here = "this-computer";

/** Who answers, and how. */
export function Parameters() {
  const settings = usePlayground((state) => state.settings);
  const set = usePlayground((state) => state.set);
  const { connectionId, model, system } = settings;
  const api = useApi();
  const { data: connections } = useQuery(api.connections.list.queryOptions());
  const { models, error } = useModels(connectionId);

  const isGone =
    connectionId !== null && connections !== undefined && !connections.some(({ id }) => id === connectionId);
  useEffect(() => {
    if (isGone) set({ connectionId: null, model: "" });
  }, [isGone, set]);
  const [first] = models;
  useEffect(() => {
    if (model === "" && first !== undefined) set({ model: first });
  }, [model, first, set]);

  return (
    <section className={classes.root} aria-label="Parameters">
      <Select
        label="Connection"
        allowDeselect={false}
        data={[
          { value: here, label: "This computer" },
          ...(connections ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={connectionId ?? here}
        onChange={(value) => set({ connectionId: value === here ? null : value, model: "" })}
      />
      {connectionId === null ? (
        <Select
          label="Model"
          allowDeselect={false}
          searchable
          data={models}
          value={model === "" ? null : model}
          onChange={(value) => value !== null && set({ model: value })}
        />
      ) : (
        <ModelPicker
          label="Model"
          placeholder="Name of a model"
          models={models}
          value={model}
          error={error}
          onChange={(value) => set({ model: value })}
        />
      )}
      <LongTextField
        label="System prompt"
        isLabelShown
        placeholder="None"
        minRows={3}
        maxRows={10}
        value={system}
        onChange={(text) => set({ system: text })}
      />
      <NumberField name="temperature" label="Temperature" />
      <NumberField name="topP" label="Top p" />
      <NumberField name="maxTokens" label="Most tokens in the answer" />
    </section>
  );
}

/** The names of the models; of a connection that can't list them, why. */
function useModels(connectionId: string | null): { models: string[]; error: string | null } {
  const api = useApi();
  const own = useQuery(api.app.models.queryOptions({ staleTime: Number.POSITIVE_INFINITY }));
  const theirs = useQuery({
    ...api.connections.models.queryOptions({ input: { id: connectionId ?? "" }, staleTime: 5 * 60_000, retry: false }),
    enabled: connectionId !== null,
  });
  if (connectionId === null) return { models: (own.data ?? []).map(({ id }) => id), error: null };
  return { models: theirs.data ?? [], error: theirs.error === null ? null : describeError(theirs.error).message };
}

function NumberField({ name, label }: { readonly name: ParameterName; readonly label: string }) {
  const typed = usePlayground((state) => state.settings[name]);
  const set = usePlayground((state) => state.set);
  return (
    <TextInput
      label={label}
      placeholder="Model’s default"
      inputMode="decimal"
      value={typed}
      error={readParameter(name, typed).problem ?? null}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  );
}
