import { Button, Modal } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { SecretName } from "#contract";
import { describeError, useApi } from "../../../bridge/index.ts";
import { ErrorCard } from "../../../components/index.ts";
import classes from "./secret-row.module.css";
import { secretWords } from "./secret-words.ts";

export interface Rotation {
  /** Opens the question. */
  readonly ask: () => void;
  /** Says that the value could not be had. */
  readonly tell: (error: unknown) => void;
  /** To be rendered by the caller. */
  readonly dialog: ReactNode;
}

/** Makes a new key or token, after having said what the old one's end breaks. */
export function useRotation(name: SecretName, lastFour: string): Rotation {
  const { server } = useApi();
  const queryClient = useQueryClient();
  const [opened, setOpened] = useState(false);
  const { noun, loss } = secretWords[name];
  const { mutate, isPending, error, reset } = useMutation(
    server.rotate.mutationOptions({
      onSuccess: (view) => {
        setOpened(false);
        queryClient.setQueryData(server.watch.experimental_liveKey(), view);
        notifications.show({ title: `There is a new ${noun}`, message: "The old one is refused from now on." });
      },
    }),
  );
  return {
    ask() {
      reset();
      setOpened(true);
    },
    tell: (failure) =>
      notifications.show({
        color: "red",
        title: `The ${noun} was not copied`,
        message: describeError(failure).message,
        autoClose: 10_000,
      }),
    dialog: (
      <Modal opened={opened} onClose={() => setOpened(false)} title={`Rotate the ${noun}?`} size={460}>
        <p className={classes.question}>
          The {noun}
          {lastFour === "" ? null : (
            <>
              {" "}
              that ends in <code>{lastFour}</code>
            </>
          )}{" "}
          stops working at once. {loss}
        </p>
        {error ? <ErrorCard title={`The ${noun} was not rotated`} {...describeError(error)} /> : null}
        <div className={classes.actions}>
          <Button onClick={() => setOpened(false)}>Keep the {noun}</Button>
          <Button variant="filled" color="red" loading={isPending} data-autofocus onClick={() => mutate({ name })}>
            Rotate the {noun}
          </Button>
        </div>
      </Modal>
    ),
  };
}
