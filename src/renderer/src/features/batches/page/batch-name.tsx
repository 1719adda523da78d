import { TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useApi } from "../../../bridge/index.ts";
import { CutName, showFailure } from "../../../components/index.ts";
import { batchDetailOptions, batchListOptions } from "../../../queries/batch-queries.ts";
import { mergeIntoDetail, mergeIntoList } from "../../../queries/watch.ts";
import classes from "./batch-head.module.css";
import { useBatchPage } from "./batch-page.tsx";

/** The name of a batch. A click on it, or Rename, lets it be edited: Enter keeps, Escape gives up. */
export function BatchName() {
  const { batch, isNaming, onNaming } = useBatchPage();
  const api = useApi();
  const queryClient = useQueryClient();
  const button = useRef<HTMLButtonElement>(null);
  const { mutate } = useMutation(
    api.batches.rename.mutationOptions({
      onSuccess(renamed) {
        queryClient.setQueryData(batchListOptions(api).queryKey, (list) => list && mergeIntoList(list, renamed));
        queryClient.setQueryData(
          batchDetailOptions(api, renamed.id).queryKey,
          (detail) => detail && mergeIntoDetail(detail, renamed, false),
        );
      },
      onError: (error) => showFailure("The batch was not renamed", error),
    }),
  );

  const end = (name: string | null) => {
    if (!isNaming) return;
    onNaming(false);
    const wanted = name?.trim() ?? "";
    if (wanted !== "" && wanted !== batch.name) mutate({ id: batch.id, name: wanted });
    requestAnimationFrame(() => button.current?.focus());
  };

  if (isNaming) {
    return (
      <TextInput
        className={classes.nameInput}
        aria-label="Name of the batch"
        dir="auto"
        defaultValue={batch.name}
        maxLength={200}
        ref={(input) => input?.focus()}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={(event) => end(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") end(event.currentTarget.value);
          else if (event.key === "Escape") end(null);
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
    );
  }
  return (
    <h1 className={classes.name}>
      <button
        ref={button}
        type="button"
        className={classes.nameButton}
        aria-label={`${batch.name}, rename`}
        onClick={() => onNaming(true)}
      >
        <CutName name={batch.name} title={`${batch.name}\nRename`} />
      </button>
    </h1>
  );
}
