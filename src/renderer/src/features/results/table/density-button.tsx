import { ActionIcon, Tooltip } from "@mantine/core";
import { IconBaselineDensityMedium, IconBaselineDensitySmall } from "@tabler/icons-react";
import { useDensity } from "./result-layout.ts";

/** Shows each row with two lines of text, or with one. */
export function DensityButton({ onToggled }: { readonly onToggled: () => void }) {
  const { hasTwoLines, toggle } = useDensity();
  const Icon = hasTwoLines ? IconBaselineDensityMedium : IconBaselineDensitySmall;
  return (
    <Tooltip label={hasTwoLines ? "One line a row" : "Two lines a row"}>
      <ActionIcon
        size={28}
        variant="subtle"
        color="gray"
        aria-label="Two lines a row"
        aria-pressed={hasTwoLines}
        onClick={() => {
          toggle();
          onToggled();
        }}
      >
        <Icon size={15} />
      </ActionIcon>
    </Tooltip>
  );
}
