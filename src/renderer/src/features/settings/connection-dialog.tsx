import { Button, Modal, Select, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { ConnectionView, LocalModels, Preset } from "#contract";
import { describeError } from "../../bridge/index.ts";
import { ErrorCard } from "../../components/index.ts";
import classes from "./connection-dialog.module.css";
import {
  type ConnectionFields,
  describeAdapter,
  type FieldErrors,
  fieldsOfConnection,
  fieldsOfLocal,
  fieldsOfService,
  findService,
  listServices,
  readConnectionFields,
  type ServiceChoice,
} from "./connection-form.ts";
import { ConnectionLimits } from "./connection-limits.tsx";
import { explainSecret, KeyField, readSecret, type SecretChange, SecretField } from "./secret-field.tsx";
import { useConnectionChanges } from "./use-connections.ts";

export interface ConnectionDialogProps {
  readonly opened: boolean;
  /** Null for a new one. */
  readonly connection: ConnectionView | null;
  /** What a new one is filled with: a server that was found on this computer. */
  readonly found: LocalModels | null;
  readonly presets: readonly Preset[];
  readonly takenNames: readonly string[];
  readonly onClose: () => void;
  readonly onSaved: (connection: ConnectionView) => void;
}

/** Adds a connection, or changes one. */
export function ConnectionDialog({ opened, onClose, ...form }: ConnectionDialogProps) {
  const title = form.connection === null ? "Add a connection" : `Change “${form.connection.name}”`;
  return (
    <Modal opened={opened} onClose={onClose} title={title} size={560}>
      <ConnectionForm {...form} onClose={onClose} />
    </Modal>
  );
}

type FormProps = Omit<ConnectionDialogProps, "opened">;

function ConnectionForm({ connection, found, presets, takenNames, onClose, onSaved }: FormProps) {
  const services = listServices(presets);
  const all = services.flatMap(({ items }) => items);
  const [service, setService] = useState<ServiceChoice | null>(() =>
    connection === null ? (all.find(({ id }) => id === found?.preset) ?? null) : findService(presets, connection),
  );
  const [fields, setFields] = useState<ConnectionFields | null>(() => {
    if (connection !== null) return fieldsOfConnection(connection);
    return found && fieldsOfLocal(found, presets, takenNames);
  });
  const [key, setKey] = useState<SecretChange>({ state: "kept" });
  const [mcpToken, setMcpToken] = useState<SecretChange>({ state: "kept" });
  const [errors, setErrors] = useState<FieldErrors>({});
  const { save } = useConnectionChanges();
  const isNameTaken = save.error !== null && "code" in save.error && save.error.code === "CONFLICT";

  function choose(id: string | null): void {
    const chosen = all.find((choice) => choice.id === id);
    if (chosen === undefined) return;
    setService(chosen);
    setFields(fieldsOfService(chosen, takenNames));
    setErrors({});
  }

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (fields === null || service === null || save.isPending) return;
    const kind = connection ?? { preset: service.preset?.id ?? null, adapter: service.adapter };
    const read = readConnectionFields(fields, kind);
    const [keyError, tokenError] = [explainSecret(key), explainSecret(mcpToken)];
    if ("errors" in read || keyError !== null || tokenError !== null) {
      setErrors({
        ...("errors" in read && read.errors),
        ...(keyError && { key: keyError }),
        ...(tokenError && { mcpToken: tokenError }),
      });
      focusFirstError(event.currentTarget);
      return;
    }
    setErrors({});
    const given = readSecret(key);
    // A key that is typed or removed takes the place of a variable.
    const keyVariable = given === undefined ? (connection?.keyVariable ?? null) : null;
    const id = connection?.id;
    save.mutate(
      {
        connection: { ...read.connection, keyVariable, ...(id && { id }) },
        key: given,
        mcpToken: readSecret(mcpToken),
      },
      {
        onSuccess(saved) {
          onSaved(saved);
          onClose();
        },
      },
    );
  };

  const change = (changed: Partial<ConnectionFields>) => {
    setFields((now) => now && { ...now, ...changed });
    setErrors((now) => omitKeys(now, Object.keys(changed)));
    save.reset();
  };
  const isMoved = connection !== null && fields !== null && fields.url.trim() !== connection.url;
  const isMcpKept = connection?.hasMcpToken === true && !isMoved && fields?.mcpUrl.trim() === (connection.mcpUrl ?? "");

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {connection === null ? (
        <Select
          label="Service"
          placeholder="Choose one, or another one"
          data={services.map(({ group, items }) => ({
            group,
            items: items.map(({ id, label }) => ({ value: id, label })),
          }))}
          value={service?.id ?? null}
          onChange={choose}
          searchable
          allowDeselect={false}
          maxDropdownHeight={340}
          data-autofocus={found === null || undefined}
        />
      ) : null}
      {fields === null || service === null ? (
        <p className={classes.hint}>
          A connection is the model or service that answers your batches: a model server on this computer or in your
          network, or a service with a key.
        </p>
      ) : (
        <>
          <TextInput
            label="Name"
            value={fields.name}
            error={errors.name ?? (isNameTaken ? describeError(save.error).message : null)}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          />
          <TextInput
            label="Address"
            description={describeAdapter(service.adapter)}
            inputWrapperOrder={["label", "input", "description", "error"]}
            placeholder="https://…/v1"
            value={fields.url}
            error={errors.url}
            spellCheck={false}
            classNames={{ input: classes.code, description: classes.description }}
            onChange={({ currentTarget }) => change({ url: currentTarget.value })}
          />
          <KeyField
            service={service}
            connection={connection}
            isMoved={isMoved}
            isWanted={found !== null}
            change={key}
            error={errors.key ?? null}
            onChange={(next) => {
              setKey(next);
              setErrors((now) => omitKeys(now, ["key"]));
            }}
          />
          <ConnectionLimits
            fields={fields}
            errors={errors}
            adapter={service.adapter}
            preset={service.preset}
            isOpen={connection !== null}
            onChange={change}
          >
            <TextInput
              label="MCP endpoint"
              description="Where it verifies responses, if it does."
              inputWrapperOrder={["label", "input", "description", "error"]}
              placeholder={`${(fields.url.trim() || "https://…/v1").replace(/\/+$/, "")}/mcp`}
              value={fields.mcpUrl}
              error={errors.mcpUrl}
              spellCheck={false}
              classNames={{ input: classes.code, description: classes.description }}
              onChange={({ currentTarget }) => change({ mcpUrl: currentTarget.value })}
            />
            <SecretField
              label="MCP token"
              keptAs={isMcpKept && mcpToken.state === "kept" ? "Kept, and never shown" : null}
              description={
                mcpToken.state === "removed"
                  ? "The token is removed when this is saved."
                  : "Fetched by itself where the service gives it out."
              }
              change={mcpToken}
              error={errors.mcpToken ?? null}
              onChange={(next) => {
                setMcpToken(next);
                setErrors((now) => omitKeys(now, ["mcpToken"]));
              }}
            />
          </ConnectionLimits>
        </>
      )}
      {save.error === null || isNameTaken ? null : (
        <ErrorCard title="The connection was not saved" {...describeError(save.error)} />
      )}
      <div className={classes.actions}>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="filled" type="submit" loading={save.isPending} disabled={fields === null}>
          Save and test
        </Button>
      </div>
    </form>
  );
}

function omitKeys(errors: FieldErrors, keys: readonly string[]): FieldErrors {
  return Object.fromEntries(Object.entries(errors).filter(([field]) => !keys.includes(field)));
}

/** After the fields have been drawn with their errors. */
function focusFirstError(form: EventTarget): void {
  requestAnimationFrame(() => {
    const field = form instanceof HTMLElement ? form.querySelector("[aria-invalid='true']") : null;
    if (field instanceof HTMLElement) field.focus();
  });
}
