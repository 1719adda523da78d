import { Button, NumberInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import classes from "./port-form.module.css";

interface PortFormProps {
  readonly port: number;
  readonly isRunning: boolean;
  readonly isStarting: boolean;
  readonly onStart: (port: number) => void;
}

/** The port, which can be another one: a server that runs moves there, one that is off starts there. */
export function PortForm({ port, isRunning, isStarting, onStart }: PortFormProps) {
  const [typed, setTyped] = useState<number | string>(port);
  const isChanged = typed !== port;
  const isPort = typeof typed === "number" && Number.isInteger(typed);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isPort && isChanged) onStart(typed);
  };
  return (
    <form className={classes.root} onSubmit={submit}>
      <NumberInput
        aria-label="Port"
        aria-describedby="server-port-about"
        className={classes.field}
        value={typed}
        min={0}
        max={65_535}
        allowDecimal={false}
        allowNegative={false}
        clampBehavior="strict"
        hideControls
        onChange={setTyped}
      />
      {isChanged ? (
        <>
          <Button size="xs" type="submit" loading={isStarting} disabled={!isPort}>
            {isRunning ? "Move there" : "Start there"}
          </Button>
          <Button size="xs" variant="subtle" onClick={() => setTyped(port)}>
            Keep {port}
          </Button>
        </>
      ) : null}
      <span className={classes.about} id="server-port-about">
        0 picks a free one
      </span>
    </form>
  );
}
