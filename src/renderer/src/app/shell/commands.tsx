import { useMantineColorScheme } from "@mantine/core";
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from "@mantine/spotlight";
import {
  IconBook,
  IconBook2,
  IconDeviceDesktop,
  IconFiles,
  IconHome,
  IconKeyboard,
  IconMessage2,
  IconMoon,
  IconPencilPlus,
  IconPlus,
  IconSearch,
  IconServer2,
  IconSettings,
  IconShieldCheck,
  IconStack2,
  IconSun,
} from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { lookOfBatch } from "../../features/batches/index.ts";
import { useBatches } from "../../queries/batch-queries.ts";
import { useExampleDraft, useNewBatch } from "../open-draft.ts";
import classes from "./commands.module.css";
import { filterCommands } from "./filter-commands.ts";

const icon = { size: 17, stroke: 1.6 } as const;

/** Everything that can be gone to or done, found by typing. Opened from the top bar or with Ctrl/Cmd K. */
export function Commands({ onShowShortcuts }: { readonly onShowShortcuts: () => void }) {
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const { batches } = useBatches();
  const newBatch = useNewBatch();
  const example = useExampleDraft();

  const batchActions = useMemo(
    () =>
      batches.map(
        (batch): SpotlightActionData => ({
          id: batch.id,
          label: batch.name,
          keywords: [batch.id],
          leftSection: <IconStack2 {...icon} />,
          rightSection: <span className={classes.aside}>{lookOfBatch(batch).word}</span>,
          onClick: () => void navigate({ to: "/batches/$batchId", params: { batchId: batch.id } }),
        }),
      ),
    [batches, navigate],
  );
  const groups: SpotlightActionGroupData[] = [
    {
      group: "Pages",
      actions: [
        {
          id: "page home",
          label: "Home",
          keywords: ["start", "what needs attention", "costs", "examples"],
          leftSection: <IconHome {...icon} />,
          onClick: () => void navigate({ to: "/" }),
        },
        {
          id: "page build",
          label: "Build",
          leftSection: <IconPencilPlus {...icon} />,
          onClick: () => void navigate({ to: "/build/{-$draftId}" }),
        },
        {
          id: "page batches",
          label: "Batches",
          leftSection: <IconStack2 {...icon} />,
          onClick: () => void navigate({ to: "/batches" }),
        },
        {
          id: "page files",
          label: "Files",
          keywords: ["upload", "input", "results", "storage", "jsonl"],
          leftSection: <IconFiles {...icon} />,
          onClick: () => void navigate({ to: "/files" }),
        },
        {
          id: "page verify",
          label: "Verify",
          keywords: ["check a response", "made up", "claims", "evidence"],
          leftSection: <IconShieldCheck {...icon} />,
          onClick: () => void navigate({ to: "/verify" }),
        },
        {
          id: "page playground",
          label: "Playground",
          keywords: ["chat", "conversation", "ask a model", "try a prompt"],
          leftSection: <IconMessage2 {...icon} />,
          onClick: () => void navigate({ to: "/playground" }),
        },
        {
          id: "page server",
          label: "Server",
          keywords: ["mock server", "address", "api key", "mcp", "token", "curl"],
          leftSection: <IconServer2 {...icon} />,
          onClick: () => void navigate({ to: "/server" }),
        },
        {
          id: "page settings",
          label: "Settings",
          keywords: [
            "connections",
            "connect a model",
            "api key",
            "ollama",
            "openai",
            "theme",
            "version",
            "about",
            "licences",
            "diagnostics",
            "data folder",
          ],
          leftSection: <IconSettings {...icon} />,
          onClick: () => void navigate({ to: "/settings" }),
        },
      ],
    },
    {
      group: "Actions",
      actions: [
        {
          id: "new",
          label: "New batch",
          keywords: ["build", "create", "draft"],
          leftSection: <IconPlus {...icon} />,
          onClick: newBatch.open,
        },
        {
          id: "example",
          label: "Try the 200-question example",
          keywords: ["math", "gsm8k", "sample"],
          leftSection: <IconBook2 {...icon} />,
          onClick: () => example.open(),
        },
        {
          id: "guide",
          label: "Open the guide",
          keywords: ["help", "manual", "documentation", "how to"],
          leftSection: <IconBook {...icon} />,
          onClick: () => void navigate({ to: "/guide" }),
        },
        {
          id: "shortcuts",
          label: "Show the keyboard shortcuts",
          keywords: ["help", "keys"],
          leftSection: <IconKeyboard {...icon} />,
          onClick: onShowShortcuts,
        },
        {
          id: "light",
          label: "Light theme",
          keywords: ["appearance", "colour", "color"],
          leftSection: <IconSun {...icon} />,
          onClick: () => setColorScheme("light"),
        },
        {
          id: "dark",
          label: "Dark theme",
          keywords: ["appearance", "colour", "color"],
          leftSection: <IconMoon {...icon} />,
          onClick: () => setColorScheme("dark"),
        },
        {
          id: "system",
          label: "Theme as the system",
          keywords: ["appearance", "colour", "color", "auto"],
          leftSection: <IconDeviceDesktop {...icon} />,
          onClick: () => setColorScheme("auto"),
        },
      ],
    },
    { group: "Batches", actions: batchActions },
  ];

  return (
    <Spotlight
      actions={groups}
      filter={filterCommands}
      shortcut={null}
      scrollable
      maxHeight={420}
      size={560}
      centered={false}
      lockScroll={false}
      yOffset="14vh"
      overlayProps={{ backgroundOpacity: 0.3, blur: 0 }}
      attributes={{ content: { "aria-label": "Commands" } }}
      nothingFound="Nothing found"
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.6} />,
        placeholder: "Search, or run a command",
        "aria-label": "Search, or run a command",
      }}
      classNames={{
        content: classes.content,
        search: classes.search,
        action: classes.action,
        actionsGroup: classes.group,
        actionLabel: classes.label,
        actionSection: classes.section,
      }}
    />
  );
}
