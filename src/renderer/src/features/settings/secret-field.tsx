import { Anchor, Button, PasswordInput } from "@mantine/core";
import type { ReactNode } from "react";
import { type ConnectionView, cutKey, findKeyProblem } from "#contract";
import classes from "./connection-dialog.module.css";
import type { ServiceChoice } from "./connection-form.ts";

/** What happens to a key or token with the next save. */
export type SecretChange = { readonly state: "kept" | "removed" } | { readonly state: "typed"; readonly text: string };

/** As it is sent: null removes it, undefined leaves it. */
export function readSecret(change: SecretChange): string | null | undefined {
  const typed = change.state === "typed" ? cutKey(change.text) : "";
  return typed !== "" ? typed : change.state === "removed" ? null : undefined;
}

/** Why what was typed can't be sent; null where it can. */
export function explainSecret(change: SecretChange): string | null {
  const problem = findKeyProblem(readSecret(change) ?? "");
  return problem === null ? null : `It has ${problem}. No request can carry it: copy it again.`;
}

interface KeyFieldProps {
  readonly service: ServiceChoice;
  readonly connection: ConnectionView | null;
  readonly isMoved: boolean;
  /** The server has asked for it: the dialog begins with it. */
  readonly isWanted: boolean;
  readonly change: SecretChange;
  readonly error: string | null;
  readonly onChange: (change: SecretChange) => void;
}

/** The key of a connection, with where one is made. */
export function KeyField({ service, connection, isMoved, isWanted, change, error, onChange }: KeyFieldProps) {
  const { preset } = service;
  const variable = connection?.keyVariable ?? null;
  const isKept = connection?.hasKey === true && change.state === "kept" && !isMoved;
  return (
    <SecretField
      label="Key"
      keptAs={!isKept ? null : variable === null ? "Kept, and never shown" : `From the variable ${variable}`}
      description={
        <>
          {isWanted
            ? "The server asks for it. Kept here, and never shown again."
            : describeKeyField(service, connection, isMoved, change)}
          {preset?.keyPage ? (
            <>
              {" "}
              <Anchor href={preset.keyPage} target="_blank" rel="noreferrer" inherit>
                Make one at {new URL(preset.keyPage).host}
              </Anchor>
            </>
          ) : null}
        </>
      }
      isFirst={isWanted}
      change={change}
      error={error}
      onChange={onChange}
    />
  );
}

interface SecretFieldProps {
  readonly label: string;
  /** Describes where the stored one is; null while a new one is typed. */
  readonly keptAs: string | null;
  readonly description: ReactNode;
  readonly isFirst?: boolean;
  readonly change: SecretChange;
  readonly error: string | null;
  readonly onChange: (change: SecretChange) => void;
}

/** Takes a key or token in. One that is kept is never shown: it can be replaced or removed. */
export function SecretField({
  label,
  keptAs,
  description,
  isFirst = false,
  change,
  error,
  onChange,
}: SecretFieldProps) {
  if (keptAs !== null) {
    const word = label === "Key" ? "key" : label;
    return (
      <div className={classes.key}>
        <div className={classes.label}>{label}</div>
        <div className={classes.keyRow}>
          <span>{keptAs}</span>
          <Button size="xs" onClick={() => onChange({ state: "typed", text: "" })}>
            Replace {word}
          </Button>
          <Button size="xs" variant="subtle" onClick={() => onChange({ state: "removed" })}>
            Remove {word}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <PasswordInput
      label={label}
      description={description}
      inputWrapperOrder={["label", "input", "description", "error"]}
      error={error}
      classNames={{ innerInput: classes.code, description: classes.description }}
      value={change.state === "typed" ? change.text : ""}
      autoComplete="off"
      spellCheck={false}
      data-autofocus={isFirst || undefined}
      onChange={({ currentTarget }) => onChange({ state: "typed", text: currentTarget.value })}
    />
  );
}

function describeKeyField(
  { preset }: ServiceChoice,
  connection: ConnectionView | null,
  isMoved: boolean,
  change: SecretChange,
): string {
  if (isMoved && connection?.hasKey) return "Another address drops the key that is kept: type the one for there.";
  if (change.state === "removed") return "The key is removed when this is saved.";
  if (connection?.hasKey) return "Takes the place of the one that is kept.";
  return preset?.needsKey === false
    ? "Leave it empty where the server wants none."
    : "Kept here, and never shown again.";
}
