import { Button, Collapse, Textarea, TextInput } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { Preset } from "#contract";
import classes from "./connection-dialog.module.css";
import type { ConnectionFields, FieldErrors, ServiceChoice, TextField } from "./connection-form.ts";
import { ModelPrices } from "./model-prices.tsx";

interface LimitsProps {
  readonly fields: ConnectionFields;
  readonly errors: FieldErrors;
  readonly adapter: ServiceChoice["adapter"];
  readonly preset: Preset | null;
  readonly isOpen: boolean;
  readonly onChange: (changed: Partial<ConnectionFields>) => void;
  readonly children: ReactNode;
}

/** What most people leave as it is: limits, prices, names of models, network. */
export function ConnectionLimits({ fields, errors, adapter, preset, isOpen, onChange, children }: LimitsProps) {
  const [opened, setOpened] = useState(isOpen);
  const isChat = adapter === "chat";
  const limits = preset?.limits ?? null;
  const field = (name: TextField, label: string, placeholder: string, inputMode: "decimal" | "url" = "decimal") => (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={fields[name]}
      error={errors[name]}
      inputMode={inputMode}
      onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
    />
  );
  const hasHiddenError = Object.keys(errors).some((name) => !["name", "url", "key"].includes(name));
  const isShown = opened || hasHiddenError;
  return (
    <div>
      <Button
        size="xs"
        variant="subtle"
        className={classes.more}
        aria-expanded={isShown}
        rightSection={<IconChevronDown size={14} className={classes.chevron} data-open={isShown || undefined} />}
        onClick={() => setOpened(!isShown)}
      >
        Limits, prices, model names, network, MCP
      </Button>
      <Collapse expanded={isShown}>
        <div className={classes.grid}>
          {isChat ? null : (
            <>
              {field(
                "mostLines",
                "Most lines of a batch",
                limits === null ? "No limit" : limits.lines.toLocaleString("en"),
              )}
              {field("mostMegabytes", "Most MB of a batch", limits === null ? "No limit" : String(limits.bytes / 1e6))}
              {field("mostQueuedTokens", "Most tokens queued", "No limit")}
            </>
          )}
          {field("concurrency", isChat ? "Calls at a time" : "Direct calls at a time", "8")}
          {field("requestsPerMinute", isChat ? "Requests a minute" : "Direct calls a minute", "No cap")}
          {field("tokensPerMinute", isChat ? "Tokens a minute" : "Direct tokens a minute", "No cap")}
          {isChat ? null : (
            <TextInput
              label="Window"
              value={fields.window}
              error={errors.window}
              onChange={({ currentTarget }) => onChange({ window: currentTarget.value })}
            />
          )}
        </div>
        <ModelPrices fields={fields} errors={errors} preset={preset} hasFactor={!isChat} onChange={onChange} />
        <Textarea
          mt={12}
          label="Names of models"
          description="Where the service calls a model something else: one “name = their name” a line, “*” for every other name."
          inputWrapperOrder={["label", "input", "description", "error"]}
          placeholder="gpt-4o-mini = llama3.2:3b"
          classNames={{ input: classes.code, description: classes.description }}
          autosize
          minRows={2}
          maxRows={6}
          spellCheck={false}
          value={fields.models}
          error={errors.models}
          onChange={({ currentTarget }) => onChange({ models: currentTarget.value })}
        />
        <div className={classes.grid}>
          {field("proxy", "Proxy", "The environment's", "url")}
          {field("caFile", "CA file (PEM)", "The system's certificates", "url")}
        </div>
        <div className={classes.mcp}>{children}</div>
      </Collapse>
    </div>
  );
}
