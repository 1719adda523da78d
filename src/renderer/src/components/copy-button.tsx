import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";

export interface CopyButtonProps {
  /** The text, or how to get it when it is asked for. */
  readonly value: string | (() => string | Promise<string>);
  /** What is copied, as on a button: "Copy details". */
  readonly label: string;
  /** As an icon with the label in a tooltip; else as a button with words. */
  readonly compact?: boolean;
  /** Called when the text can't be fetched. */
  readonly onError?: (error: unknown) => void;
}

/** Copies a text and confirms it, on itself and to screen readers, for a moment; where the browser refuses, it says so. */
export function CopyButton({ value, label, compact = false, onError }: CopyButtonProps) {
  const { copy, copied, error } = useClipboard({ timeout: 1_600 });
  const icon = copied ? <IconCheck size={15} color="var(--green)" /> : <IconCopy size={15} />;
  const run = () => void readValue(value).then(copy, onError);
  const said = copied ? "Copied" : error === null ? label : "The browser blocked copying";
  return compact ? (
    <Tooltip label={said}>
      <ActionIcon variant="subtle" color="gray" size={26} aria-label={said} onClick={run}>
        {icon}
      </ActionIcon>
    </Tooltip>
  ) : (
    <Button size="xs" leftSection={icon} onClick={run} aria-live="polite">
      {said}
    </Button>
  );
}

async function readValue(value: CopyButtonProps["value"]): Promise<string> {
  return typeof value === "string" ? value : await value();
}
