import { Button, Checkbox, Group } from "@mantine/core";
import { type FaultSettings, type FaultTarget, faultSettingsSchema, faultTargets } from "#contract";
import classes from "./controls-panel.module.css";
import { NumberField } from "./number-field.tsx";

interface FaultFieldsProps {
  readonly faults: FaultSettings;
  readonly onChange: (faults: FaultSettings) => void;
}

/** Shares of all requests: they add up to 100 % at most. */
const shares = [
  { field: "failure_rate", label: "Fail with an error" },
  { field: "rate_limit_rate", label: "Too many requests (429)" },
  { field: "drop_rate", label: "Connection cut" },
  { field: "malformed_rate", label: "Broken JSON" },
] as const;

const targetWords: Readonly<Record<FaultTarget, string>> = {
  lines: "Lines of batches",
  chat: "Direct calls",
  files: "Files",
  batches: "Batches",
  models: "Models",
};

const none = faultSettingsSchema.parse({});

/** What goes wrong on purpose, how often, and with what. */
export function FaultFields({ faults, onChange }: FaultFieldsProps) {
  const isAny = JSON.stringify(faults) !== JSON.stringify(none);
  const used = shares.reduce((sum, { field }) => sum + faults[field], 0);
  return (
    <>
      <div className={classes.faults}>
        {shares.map(({ field, label }) => (
          <Fault key={field} label={label}>
            <NumberField
              label={label}
              unit="%"
              value={toPercent(faults[field])}
              most={toPercent(1 - used + faults[field])}
              onChange={(percent) => onChange({ ...faults, [field]: percent / 100 })}
            />
          </Fault>
        ))}
        <Fault label="Uploads refused">
          <NumberField
            label="Uploads refused"
            unit="%"
            value={toPercent(faults.upload_failure_rate)}
            most={100}
            onChange={(percent) => onChange({ ...faults, upload_failure_rate: percent / 100 })}
          />
        </Fault>
        <Fault label="Added latency">
          <NumberField
            label="Added latency"
            unit="ms"
            value={faults.latency_ms}
            most={600_000}
            onChange={(latency) => onChange({ ...faults, latency_ms: Math.round(latency) })}
          />
        </Fault>
      </div>
      <Checkbox.Group
        mt={8}
        aria-label="What the faults act on"
        value={[...faults.targets]}
        onChange={(chosen) => {
          const targets = faultTargets.filter((target) => chosen.includes(target));
          if (targets.length > 0) onChange({ ...faults, targets });
        }}
      >
        <Group gap="6px 16px">
          {faultTargets.map((target) => (
            <Checkbox key={target} size="xs" value={target} label={targetWords[target]} />
          ))}
        </Group>
      </Checkbox.Group>
      <Button mt={8} size="xs" disabled={!isAny} onClick={() => onChange(none)}>
        Switch all faults off
      </Button>
    </>
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

/** To a tenth: 0.07 is 7, and not 7.000000000000001. */
function toPercent(share: number): number {
  return Math.round(share * 1_000) / 10;
}
