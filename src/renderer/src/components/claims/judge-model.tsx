import { Select } from "@mantine/core";
import { skipToken, useQuery } from "@tanstack/react-query";
import { useApi } from "../../bridge/index.ts";
import { ModelPicker } from "../model-picker.tsx";

/** Why a model can't judge, or grade, where only the mock could answer for it. */
export const mockProblem =
  "No model is connected to judge. The mock’s answers are made up, so they can’t be used. Add a connection in Settings.";

/** Which model judges or grades, and where it is asked. */
export interface JudgeModel {
  readonly model: string | null;
  /** Undefined for this computer. */
  readonly connectionId: string | undefined;
}

/** Where a model can be asked: at this computer unless that makes its answers up, and at connections. */
export function useJudgePlaces() {
  const api = useApi();
  const { data: info } = useQuery(api.app.info.queryOptions({ staleTime: 60_000 }));
  const { data: connections = [] } = useQuery(api.connections.list.queryOptions({ staleTime: 0 }));
  const isMock = info?.isMock === true;
  return { isMock, connections, canAsk: !isMock || connections.length > 0 };
}

/** Whether a model is named that can be asked. */
export function canBeAsked({ model, connectionId }: JudgeModel, isMock: boolean): boolean {
  return model !== null && model !== "" && (connectionId !== undefined || !isMock);
}

export interface JudgeModelFieldsProps extends JudgeModel {
  readonly onChange: (chosen: JudgeModel) => void;
  /** False where the fields are in a popover, which a list outside of it would close. */
  readonly withinPortal?: boolean;
  /** Whether this computer can be asked where it makes its answers up, too. */
  readonly mockAnswers?: boolean;
  /** What no model at all means; without it, one has to be named. */
  readonly placeholder?: string;
}

const here = "here";

/** Chooses where a model is asked, and which. */
export function JudgeModelFields(props: JudgeModelFieldsProps) {
  const { model, connectionId, onChange, withinPortal = true, mockAnswers = false, placeholder } = props;
  const api = useApi();
  const places = useJudgePlaces();
  const { connections } = places;
  const isMock = places.isMock && !mockAnswers;
  const models = useQuery(api.app.models.queryOptions({ staleTime: 60_000 }));
  const listed = useQuery(
    api.connections.models.queryOptions({
      input: connectionId === undefined ? skipToken : { id: connectionId },
      staleTime: 60_000,
      retry: false,
    }),
  );
  const comboboxProps = { withinPortal, transitionProps: { duration: 80 } };
  return (
    <>
      {connections.length === 0 ? null : (
        <Select
          label="Asked at"
          data={[
            ...(isMock ? [] : [{ value: here, label: "This computer" }]),
            ...connections.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={connectionId ?? (isMock ? null : here)}
          placeholder="Choose a connection"
          onChange={(id) => onChange({ model: null, connectionId: id === null || id === here ? undefined : id })}
          allowDeselect={false}
          comboboxProps={comboboxProps}
        />
      )}
      {connectionId === undefined ? (
        <Select
          label="Model"
          placeholder={placeholder ?? "Choose a model"}
          data={isMock ? [] : (models.data ?? []).map(({ id }) => id)}
          value={model}
          onChange={(chosen) => onChange({ model: chosen, connectionId })}
          allowDeselect={placeholder !== undefined}
          clearable={placeholder !== undefined}
          searchable={(models.data?.length ?? 0) > 8}
          comboboxProps={comboboxProps}
        />
      ) : (
        <ModelPicker
          label="Model"
          placeholder={listed.isFetching ? "Listing the models…" : (placeholder ?? "Choose or type one")}
          models={listed.data ?? []}
          value={model ?? ""}
          onChange={(chosen) => onChange({ model: chosen, connectionId })}
          comboboxProps={comboboxProps}
        />
      )}
    </>
  );
}
