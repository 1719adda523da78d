import { Button, Loader, Select, TagsInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconCheck } from "@tabler/icons-react";
import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useShallow } from "zustand/react/shallow";
import { describeError, useApi } from "../../../bridge/index.ts";
import { formatNumber, ModelPicker } from "../../../components/index.ts";
import { chooseModel, useDefaultConnection } from "../../../state/default-connection.ts";
import { useContent, useSession } from "../draft/draft-session.ts";
import { createBuildQueries } from "../queries.ts";
import { keepModels } from "./keep-models.ts";
import classes from "./prompt.module.css";

/**
 * Changes where the draft is answered, and where the next one will be. Models that are not offered there are no longer chosen,
 * and Problems asks for others; a connection that lists none keeps them.
 */
export function useChooseConnection(): (id: string | null) => void {
  const { store } = useSession();
  const api = useApi();
  const queryClient = useQueryClient();
  async function choose(id: string | null): Promise<void> {
    const queries = createBuildQueries(api);
    const before = store.content.getState();
    store.edit({ connectionId: id });
    useDefaultConnection.getState().choose(id);
    const listed =
      id === null ? queryClient.fetchQuery(queries.models()) : queryClient.fetchQuery(queries.connectionModels(id));
    const offered = (await listed.catch(() => [])).map((model) => (typeof model === "string" ? model : model.id));
    const now = store.content.getState();
    if (now.connectionId !== id) return;
    const kept = offered.length > 0 ? keepModels(before, now, offered) : null;
    const isOpen = id !== null && (kept ?? now).model === "";
    const model = isOpen ? chooseModel(id, offered) : "";
    if (kept !== null || model !== "") store.fill({ ...kept, ...(model !== "" && { model }) });
  }
  return (id) => void choose(id);
}

/** The model that answers. */
export function ModelField() {
  const { store } = useSession();
  const connectionId = useContent((content) => content.connectionId);
  const value = useContent((content) => content.model);
  const onChange = (model: string) => store.edit({ model });
  return connectionId === null ? (
    <LocalModel value={value} onChange={onChange} />
  ) : (
    <ConnectionModel connectionId={connectionId} value={value} onChange={onChange} />
  );
}

/** The models that are offered where the draft is answered, as far as they are known. */
export function useModelNames(): readonly string[] {
  const connectionId = useContent((content) => content.connectionId);
  const queries = createBuildQueries(useApi());
  const { data: here = [] } = useQuery({ ...queries.models(), enabled: connectionId === null });
  const { data: there = [] } = useQuery({
    ...queries.connectionModels(connectionId ?? ""),
    enabled: connectionId !== null,
  });
  return connectionId === null ? here.map(({ id }) => id) : there;
}

/** Models that are to be compared with the chosen one. */
export function OtherModelsField() {
  const { store } = useSession();
  const { connectionId, model, otherModels } = useContent(
    useShallow(({ connectionId, model, otherModels }) => ({ connectionId, model, otherModels })),
  );
  const names = useModelNames();
  const unknown = connectionId === null && names.length > 0 ? otherModels.filter((name) => !names.includes(name)) : [];
  return (
    <TagsInput
      label="Compare with other models"
      placeholder={otherModels.length === 0 ? "One batch each" : ""}
      data={names.filter((name) => name !== model)}
      value={[...otherModels]}
      limit={300}
      maxDropdownHeight={360}
      spellCheck={false}
      clearable
      error={unknown.length === 0 ? null : `Not offered here: ${unknown.join(", ")}`}
      isDuplicate={(name) => name === model || otherModels.includes(name)}
      comboboxProps={{ width: "max-content", position: "bottom-start", transitionProps: { duration: 80 } }}
      onChange={(names) => store.edit({ otherModels: names })}
    />
  );
}

/** The most tokens that the chosen model answers with; null where that is not known. */
export function useOutputLimit(): number | null {
  const { data: models = [] } = useQuery(createBuildQueries(useApi()).models());
  const isHere = useContent(({ connectionId }) => connectionId === null);
  const model = useContent((content) => content.model);
  return isHere ? (models.find(({ id }) => id === model)?.outputTokens ?? null) : null;
}

interface ModelProps {
  readonly value: string;
  readonly onChange: (name: string) => void;
}

/** One of a connection's models by its name, or any other: some servers list none, or not all. */
function ConnectionModel({ connectionId, value, onChange }: ModelProps & { readonly connectionId: string }) {
  const { data, error, isFetching, refetch } = useQuery(createBuildQueries(useApi()).connectionModels(connectionId));
  const isUnlisted =
    value !== "" && data !== undefined && data.length > 0 && !data.map(withoutTag).includes(withoutTag(value));
  const [settled] = useDebouncedValue(value, typingDelay);
  const { data: unlisted } = useQuery(
    useApi().connections.unlisted.queryOptions({
      input: isUnlisted && settled === value ? { id: connectionId, models: [value] } : skipToken,
      staleTime: 60_000,
      retry: false,
    }),
  );
  const nearest = unlisted?.[0]?.nearest.join(", ");
  return (
    <ModelPicker
      label="Model"
      placeholder={isFetching ? "Listing the models…" : data?.length ? "Choose or type one" : "Type the model’s name"}
      models={data ?? []}
      value={value}
      rightSection={isFetching ? <Loader size={14} aria-label="Listing the models" /> : null}
      inputWrapperOrder={["label", "input", "description", "error"]}
      description={
        error === null || isFetching ? null : (
          <>
            {describeError(error).message}{" "}
            <Button size="compact-xs" variant="subtle" onClick={() => void refetch()}>
              List again
            </Button>
          </>
        )
      }
      error={isUnlisted ? `Not among the models it lists${nearest ? `. Nearest: ${nearest}` : ""}` : null}
      comboboxProps={{ width: "max-content", position: "bottom-start" }}
      onChange={onChange}
    />
  );
}

/** Until a name was typed to its end, in milliseconds. */
const typingDelay = 500;

/** Ollama's usual tag may be left out. The footer has the nearest names. */
const withoutTag = (name: string) => name.toLowerCase().replace(/:latest$/, "");

/** Chooses one of this computer's models, each with its limits. */
function LocalModel({ value, onChange }: ModelProps) {
  const queries = createBuildQueries(useApi());
  const { data: models = [] } = useQuery(queries.models());
  const { data: info } = useQuery(queries.info());
  const ids = models.map(({ id }) => id);
  const isKnown = value === "" || ids.includes(value);
  return (
    <Select
      label="Model"
      placeholder="Choose a model"
      data={isKnown ? ids : [...ids, value]}
      value={value === "" ? null : value}
      description={info?.isMock ? "Answers are made up on this computer" : null}
      inputWrapperOrder={["label", "input", "description", "error"]}
      error={isKnown || models.length === 0 ? null : "Not offered here"}
      allowDeselect={false}
      withCheckIcon={false}
      comboboxProps={{ width: "max-content", position: "bottom-start", transitionProps: { duration: 80 } }}
      maxDropdownHeight={360}
      title={value}
      onChange={(id) => id !== null && onChange(id)}
      renderOption={({ option }) => {
        const model = models.find(({ id }) => id === option.value);
        return (
          <div className={classes.model}>
            <div>
              <div>{option.value}</div>
              {model === undefined ? null : (
                <div className={classes.modelLimits}>
                  {formatNumber(model.contextTokens)} tokens of context, {formatNumber(model.outputTokens)} in the
                  answer
                </div>
              )}
            </div>
            {option.value === value ? <IconCheck size={16} aria-label="chosen" /> : null}
          </div>
        );
      }}
    />
  );
}
