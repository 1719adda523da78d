import { Button } from "@mantine/core";
import { IconEye, IconEyeOff, IconRefresh } from "@tabler/icons-react";
import type { SecretName } from "#contract";
import { describeError } from "../../../bridge/index.ts";
import { CopyButton, formatTimeLeft, IconAction, useNow } from "../../../components/index.ts";
import { Row } from "../panel/row.tsx";
import classes from "./secret-row.module.css";
import { secretWords } from "./secret-words.ts";
import { useRotation } from "./use-rotation.tsx";
import { useSecret } from "./use-secret.ts";

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
    <KeptSecret key={lastFour} name={name} lastFour={lastFour} />
  );
}

function KeptSecret({ name, lastFour }: SecretRowProps & { readonly lastFour: string }) {
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
          <CopyButton value={read} label={`Copy the ${noun}`} onError={rotation.tell} compact />
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
              <span className={classes.said}>Ends in </span>
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
