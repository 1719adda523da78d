import { Button, Popover, TextInput } from "@mantine/core";
import { IconAlarm } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { BatchView } from "#contract";
import { describeError, useApi } from "../../../bridge/index.ts";
import { ErrorCard, formatExactTime } from "../../../components/index.ts";
import { canCancel } from "../describe-batch.ts";
import classes from "./batch-deadline.module.css";

/** When a batch elsewhere is given up and the rest is asked directly; nothing for one on this computer, or that ends. */
export function BatchDeadline({ batch }: { readonly batch: BatchView }) {
  const [opened, setOpened] = useState(false);
  const { deadline, remote } = batch;
  if (!canCancel(batch) || (remote === null && deadline === null)) return null;
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={320} trapFocus returnFocus>
      <Popover.Target>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          className={classes.target}
          leftSection={<IconAlarm size={15} stroke={1.7} />}
          title={deadline === null ? undefined : formatExactTime(deadline)}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          {deadline === null ? "Set a deadline" : `Until ${formatDeadline(deadline, Date.now())}`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Deadline">
        <DeadlineForm batch={batch} onClose={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

function DeadlineForm({ batch, onClose }: { readonly batch: BatchView; readonly onClose: () => void }) {
  const { mutate, error, isPending } = useMutation(
    useApi().batches.setDeadline.mutationOptions({ onSuccess: onClose }),
  );
  const [typed, setTyped] = useState(() => toLocalInput(batch.deadline ?? suggestDeadline(Date.now())));
  const time = new Date(typed).getTime();
  const problem = Number.isNaN(time) ? "A date and a time." : time <= Date.now() ? "This time has passed." : null;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problem === null && !isPending) mutate({ id: batch.id, deadline: time });
  };

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        type="datetime-local"
        label="If it is not done by"
        value={typed}
        error={problem}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        data-autofocus
      />
      <p className={classes.about}>
        It is cancelled then: what is answered is kept, and the rest is asked directly, at the price of direct calls.
      </p>
      {error === null ? null : <ErrorCard title="The deadline was not set" {...describeError(error)} />}
      <div className={classes.actions}>
        {batch.deadline === null ? null : (
          <Button variant="subtle" onClick={() => mutate({ id: batch.id, deadline: null })}>
            Remove deadline
          </Button>
        )}
        <Button type="submit" variant="filled" loading={isPending} disabled={problem !== null}>
          Set deadline
        </Button>
      </div>
    </form>
  );
}

const hour = 3_600_000;

/** The next full hour that is at least four hours away. */
export function suggestDeadline(now: number): number {
  const suggested = new Date(now + 5 * hour);
  suggested.setMinutes(0, 0, 0);
  return suggested.getTime();
}

/** As an input of type `datetime-local` has it: in local time, to the minute. */
export function toLocalInput(time: number): string {
  const offset = new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - offset).toISOString().slice(0, 16);
}

/** `18:00`, and with its day where that is not today. */
export function formatDeadline(deadline: number, now: number): string {
  const isToday = new Date(deadline).toDateString() === new Date(now).toDateString();
  const day = isToday ? {} : ({ day: "numeric", month: "short" } as const);
  return new Intl.DateTimeFormat("en-GB", { ...day, hour: "2-digit", minute: "2-digit" }).format(deadline);
}
