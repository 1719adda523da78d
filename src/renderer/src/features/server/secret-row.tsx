import { Button, VisuallyHidden } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconEye, IconEyeOff, IconRefresh } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { SecretName } from "#contract";
import { describeError, useApi } from "../../bridge/index.ts";
import {
  ConfirmDialog,
  CopyButton,
  ErrorCard,
  formatTimeLeft,
  IconAction,
  showFailure,
  useNow,
} from "../../components/index.ts";
import { Row } from "./panel.tsx";
import classes from "./secret-row.module.css";
import { secretWords, useSecret } from "./use-secret.ts";

interface SecretRowProps {
  readonly name: SecretName;
  /** Null where there is none yet. */
  readonly lastFour: string | null;
}

/** A key or a token: its end, and its value when it is asked for. */
export function SecretRow({ name, lastFour }: SecretRowProps) {
  return lastFour === null ? (
    <Row label={secretWords[name].label}>
      <span className={classes.none}>{secretWords[name].none}</span>
    </Row>
  ) : (
    <StoredSecret key={lastFour} name={name} lastFour={lastFour} />
  );
}

function StoredSecret({ name, lastFour }: SecretRowProps & { readonly lastFour: string }) {
  const { label, noun } = secretWords[name];
  const { state, show, hide, read } = useSecret(name);
  const rotation = useRotation(name, lastFour);
  const isShown = state.status === "shown";
  const rotate = { label: `Rotate the ${noun}…`, icon: IconRefresh };
  return (
    <Row
      label={label}
      actions={
        <>
          {isShown ? (
            <IconAction label={`Hide the ${noun}`} icon={IconEyeOff} onClick={hide} />
          ) : (
            <IconAction label={`Show the ${noun} for half a minute`} icon={IconEye} onClick={show} />
          )}
          <CopyButton value={read} label={`Copy the ${noun}`} onError={rotation.reportCopyFailure} compact />
          <IconAction {...rotate} onClick={rotation.ask} />
        </>
      }
    >
      {isShown ? (
        <span className={classes.shown}>
          <code className={classes.value}>{state.value}</code>
          <TimeLeft until={state.until} />
        </span>
      ) : (
        <code className={classes.value}>
          <span aria-hidden>••••••••••••</span>
          {lastFour === "" ? null : (
            <>
              <VisuallyHidden component="span">Ends in </VisuallyHidden>
              {lastFour}
            </>
          )}
        </code>
      )}
      {state.status === "failed" ? (
        <p className={classes.failure} role="alert">
          {describeError(state.error).message}{" "}
          <Button variant="subtle" size="xs" onClick={show}>
            Try again
          </Button>
        </p>
      ) : null}
      {rotation.dialog}
    </Row>
  );
}

function TimeLeft({ until }: { readonly until: number }) {
  const now = useNow(1_000);
  return <span className={classes.left}>hidden again in {formatTimeLeft(Math.max(0, until - now))}</span>;
}

interface Rotation {
  /** Opens the question. */
  readonly ask: () => void;
  /** Reports that the value could not be fetched. */
  readonly reportCopyFailure: (error: unknown) => void;
  /** To be rendered by the caller. */
  readonly dialog: ReactNode;
}

/** Makes a new key or token, after a warning about what stops working without the old one. */
function useRotation(name: SecretName, lastFour: string): Rotation {
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
    reportCopyFailure: (failure) => showFailure(`The ${noun} was not copied`, failure),
    dialog: (
      <ConfirmDialog
        opened={opened}
        onClose={() => setOpened(false)}
        title={`Rotate the ${noun}?`}
        error={error ? <ErrorCard title={`The ${noun} was not rotated`} {...describeError(error)} /> : null}
        keep={`Keep the ${noun}`}
        confirm={`Rotate the ${noun}`}
        isPending={isPending}
        onConfirm={() => mutate({ name })}
      >
        The {noun}
        {lastFour === "" ? null : (
          <>
            {" "}
            that ends in <code className={classes.value}>{lastFour}</code>
          </>
        )}{" "}
        stops working at once. {loss}
      </ConfirmDialog>
    ),
  };
}
