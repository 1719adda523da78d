import { Button, Checkbox, Group } from "@mantine/core";
import {
  type FaultSettings,
  type FaultTarget,
  faultSettingsSchema,
  faultTargets,
  type StickyStatus,
  stickyStatuses,
} from "#contract";
import classes from "./controls-panel.module.css";
import { NumberField, OptionalNumberField, TypedField } from "./typed-field.tsx";

interface FaultFieldsProps {
  readonly faults: FaultSettings;
  readonly onChange: (faults: FaultSettings) => void;
}

/** Shares of all requests: they add up to 100 % at most. */
const shares = ["failure_rate", "rate_limit_rate", "drop_rate", "malformed_rate"] as const;

const targetWords: Readonly<Record<FaultTarget, string>> = {
  lines: "Lines of batches",
  chat: "Direct calls",
  files: "Files",
  batches: "Batches",
  models: "Models",
};

const stickyWords: Readonly<Record<StickyStatus, string>> = { validating: "Checking", cancelling: "Cancelling" };

const none = faultSettingsSchema.parse({});

/** What goes wrong on purpose, how often, and with what. */
export function FaultFields({ faults, onChange }: FaultFieldsProps) {
  const isAny = JSON.stringify(faults) !== JSON.stringify(none);
  const used = shares.reduce((sum, field) => sum + faults[field], 0);
  const set = (changed: Partial<FaultSettings>) => onChange({ ...faults, ...changed });
  const rate = (field: (typeof shares)[number]) => ({
    share: faults[field],
    most: 1 - used + faults[field],
    onChange: (share: number) => set({ [field]: share }),
  });
  return (
    <>
      <div className={classes.faults}>
        <Share {...rate("failure_rate")} label="Fail with an error" />
        <Fault label="Statuses of errors">
          <TypedField
            label="Statuses of errors"
            text={faults.statuses.join(", ")}
            hint="400 to 599, as 500, 503"
            read={readStatuses}
            onChange={(statuses) => set({ statuses })}
          />
        </Fault>
        <Share {...rate("rate_limit_rate")} label="Too many requests (429)" />
        <Fault label="Retry after a 429">
          <NumberField
            label="Retry after a 429"
            unit="s"
            value={faults.retry_after}
            most={3_600}
            isWhole
            onChange={(seconds) => set({ retry_after: seconds })}
          />
        </Fault>
        <Share {...rate("drop_rate")} label="Connection cut" />
        <Share {...rate("malformed_rate")} label="Broken JSON" />
        <Fault label="Added latency">
          <NumberField
            label="Added latency"
            unit="ms"
            value={faults.latency_ms}
            most={600_000}
            isWhole
            onChange={(latency) => set({ latency_ms: latency })}
          />
        </Fault>
        <Share
          label="Uploads refused"
          share={faults.upload_failure_rate}
          most={1}
          onChange={(share) => set({ upload_failure_rate: share })}
        />
        <Fault label="Batches expire after">
          <OptionalNumberField
            label="Batches expire after so many answers"
            unit="lines"
            value={faults.expire_after}
            none="Never"
            onChange={(lines) => set({ expire_after: lines })}
          />
        </Fault>
        <Fault label="Seed of the draw">
          <OptionalNumberField
            label="Seed of the draw"
            value={faults.seed}
            none="The usual"
            onChange={(seed) => set({ seed })}
          />
        </Fault>
      </div>
      <Choices
        label="Faults happen in"
        options={faultTargets}
        words={targetWords}
        chosen={faults.targets}
        onChange={(targets) => targets.length > 0 && set({ targets })}
      />
      <Choices
        label="Batches get stuck in"
        options={stickyStatuses}
        words={stickyWords}
        chosen={faults.stuck_in}
        onChange={(statuses) => set({ stuck_in: statuses })}
      />
      <Button mt={10} size="xs" disabled={!isAny} onClick={() => onChange(none)}>
        Switch all faults off
      </Button>
    </>
  );
}

interface ShareProps {
  readonly label: string;
  readonly share: number;
  readonly most: number;
  readonly onChange: (share: number) => void;
}

function Share({ label, share, most, onChange }: ShareProps) {
  return (
    <Fault label={label}>
      <NumberField
        label={label}
        unit="%"
        value={toPercent(share)}
        most={toPercent(most)}
        onChange={(percent) => onChange(percent / 100)}
      />
    </Fault>
  );
}

function Fault({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <div className={classes.fault}>
      <span aria-hidden>{label}</span>
      {children}
    </div>
  );
}

interface ChoicesProps<Name extends string> {
  readonly label: string;
  readonly options: readonly Name[];
  readonly words: Readonly<Record<Name, string>>;
  readonly chosen: readonly Name[];
  /** In the order of the options. */
  readonly onChange: (chosen: Name[]) => void;
}

function Choices<Name extends string>({ label, options, words, chosen, onChange }: ChoicesProps<Name>) {
  return (
    <Checkbox.Group
      mt={10}
      label={label}
      classNames={{ label: classes.choices ?? "" }}
      value={[...chosen]}
      onChange={(ticked) => onChange(options.filter((option) => ticked.includes(option)))}
    >
      <Group gap="6px 16px">
        {options.map((option) => (
          <Checkbox key={option} size="xs" value={option} label={words[option]} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

/** `500, 503`; undefined for what is no list of statuses of errors. */
function readStatuses(text: string): number[] | undefined {
  const statuses = text.split(/[\s,;]+/).filter((word) => word !== "");
  const areAll = statuses.every((word) => /^[45]\d\d$/.test(word));
  return areAll && statuses.length > 0 && statuses.length <= 50 ? [...new Set(statuses.map(Number))] : undefined;
}

/** 0.07 is 7, and not 7.000000000000001. */
function toPercent(share: number): number {
  return Math.round(share * 1_000_000) / 10_000;
}
