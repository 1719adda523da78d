import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { defaultCustomId } from "#contract";
import { useApi } from "../../../bridge/index.ts";
import { useContent, useSession } from "../draft/session-context.ts";
import { createBuildQueries } from "../queries.ts";
import { TemplateEditor } from "../template/template-editor.tsx";
import { ModelSelect } from "./model-select.tsx";
import { NumberField } from "./number-field.tsx";
import classes from "./prompt.module.css";

/** What all requests have in common beside their messages, and the pattern of their ids. */
export function Parameters({ columns }: { readonly columns: readonly string[] }) {
  const { store } = useSession();
  const { data: models = [] } = useQuery(createBuildQueries(useApi()).models());
  const model = useContent((content) => content.model);
  const temperature = useContent((content) => content.temperature);
  const maxCompletionTokens = useContent((content) => content.maxCompletionTokens);
  const customId = useContent((content) => content.customId);
  const first = models[0]?.id;
  const outputLimit = models.find(({ id }) => id === model)?.outputTokens ?? null;

  useEffect(() => {
    if (model === "" && first !== undefined) store.fill({ model: first });
  }, [model, first, store]);

  return (
    <div className={classes.parameters}>
      <ModelSelect models={models} value={model} onChange={(id) => store.edit({ model: id })} />
      <div>
        <div className={classes.label} id="build-line-id">
          Line id <span className={classes.wireName}>custom_id</span>
        </div>
        <TemplateEditor
          singleLine
          param="custom_id"
          value={customId}
          columns={columns}
          label="Line id"
          placeholder={defaultCustomId}
          onChange={(text) => store.edit({ customId: text })}
          onUndo={store.undo}
          onRedo={store.redo}
        />
      </div>
      <NumberField
        label="Temperature"
        placeholder="Model’s default"
        value={temperature}
        least={0}
        most={2}
        step={0.1}
        onChange={(value) => store.edit({ temperature: value })}
      />
      <NumberField
        label="Most tokens in the answer"
        placeholder="Model’s default"
        value={maxCompletionTokens}
        least={1}
        most={outputLimit}
        step={50}
        isWhole
        onChange={(value) => store.edit({ maxCompletionTokens: value })}
      />
    </div>
  );
}
