import { SegmentedControl, Switch } from "@mantine/core";
import { useState } from "react";
import type { SecretName } from "#contract";
import { describeError } from "../../bridge/index.ts";
import { CopyButton, scrollable } from "../../components/index.ts";
import classes from "./code-tabs.module.css";
import { secretWords, useSecret } from "./use-secret.ts";

/** One way to connect: what is pasted, and where. */
export interface CodeSample {
  readonly name: string;
  readonly code: string;
  /** Where it goes, or what it needs: one sentence. */
  readonly note: string;
}

interface CodeTabsProps {
  readonly title: string;
  readonly secret: SecretName;
  /** False while there is no secret to fill in. */
  readonly hasSecret: boolean;
  /** The samples with a value filled in; with null, a placeholder is in its place. */
  readonly write: (value: string | null) => readonly CodeSample[];
}

/** Samples that run as they are copied: with the secret. It is shown only when that is asked for, and for half a minute. */
export function CodeTabs({ title, secret: name, hasSecret, write }: CodeTabsProps) {
  const { state, show, hide, read } = useSecret(name);
  const samples = write(state.status === "shown" ? state.value : null);
  const [chosen, setChosen] = useState<string | null>(null);
  const sample = samples.find((one) => one.name === chosen) ?? samples[0];
  const { noun } = secretWords[name];
  if (sample === undefined) return null;
  return (
    <section className={classes.root} aria-label={title}>
      <div className={classes.head}>
        <SegmentedControl
          size="xs"
          aria-label={title}
          data={samples.map((one) => one.name)}
          value={sample.name}
          onChange={setChosen}
        />
      </div>
      <p className={classes.note}>
        {sample.note}
        {hasSecret ? ` What is copied has the ${noun} in it.` : ""}
      </p>
      <div className={classes.card}>
        <pre className={classes.code} {...scrollable}>
          {sample.code}
        </pre>
        <div className={classes.copy}>
          <CopyButton
            value={async () => (hasSecret ? pick(write(await read()), sample) : sample).code}
            label={hasSecret ? `Copy for ${sample.name}, with the ${noun}` : `Copy for ${sample.name}`}
            compact
          />
        </div>
      </div>
      {hasSecret ? (
        <Switch
          size="xs"
          label={`Show the ${noun} in it for half a minute`}
          checked={state.status === "shown" || state.status === "asking"}
          onChange={({ currentTarget }) => (currentTarget.checked ? show() : hide())}
        />
      ) : null}
      {state.status === "failed" ? (
        <p className={classes.failure} role="alert">
          {describeError(state.error).message}
        </p>
      ) : null}
    </section>
  );
}

function pick(samples: readonly CodeSample[], like: CodeSample): CodeSample {
  return samples.find(({ name }) => name === like.name) ?? like;
}
