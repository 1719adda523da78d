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
import { type Command, useHostCommands } from "./host-commands.ts";

const icon = { size: 17, stroke: 1.6 } as const;

function toAction({ id, label, keywords, icon: Icon, run }: Command): SpotlightActionData {
  return { id, label, keywords: [...keywords], leftSection: <Icon {...icon} />, onClick: run };
}

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
  const commands: readonly Command[] = [
    {
      id: "page home",
      label: "Home",
      keywords: ["start", "what needs attention", "costs", "examples"],
      icon: IconHome,
      menu: "go",
      keys: null,
      run: () => void navigate({ to: "/" }),
    },
    {
      id: "page build",
      label: "Build",
      keywords: [],
      icon: IconPencilPlus,
      menu: "go",
      keys: null,
      run: () => void navigate({ to: "/build/{-$draftId}" }),
    },
    {
      id: "page batches",
      label: "Batches",
      keywords: [],
      icon: IconStack2,
      menu: "go",
      keys: null,
      run: () => void navigate({ to: "/batches" }),
    },
    {
      id: "page files",
      label: "Files",
      keywords: ["upload", "input", "results", "storage", "jsonl"],
      icon: IconFiles,
      menu: "go",
      keys: null,
      run: () => void navigate({ to: "/files" }),
    },
    {
      id: "page verify",
      label: "Verify",
      keywords: ["check a response", "made up", "claims", "evidence"],
      icon: IconShieldCheck,
      menu: "go",
      keys: null,
      run: () => void navigate({ to: "/verify" }),
    },
    {
      id: "page playground",
      label: "Playground",
      keywords: ["chat", "conversation", "ask a model", "try a prompt"],
      icon: IconMessage2,
      menu: "go",
      keys: null,
      run: () => void navigate({ to: "/playground" }),
    },
    {
      id: "page server",
      label: "Server",
      keywords: ["mock server", "address", "api key", "mcp", "token", "curl"],
      icon: IconServer2,
      menu: "go",
      keys: null,
      run: () => void navigate({ to: "/server" }),
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
      icon: IconSettings,
      menu: "go",
      keys: "mod+,",
      run: () => void navigate({ to: "/settings" }),
    },
    {
      id: "new",
      label: "New batch",
      keywords: ["build", "create", "draft"],
      icon: IconPlus,
      menu: "file",
      keys: null,
      enabled: !newBatch.isOpening,
      run: newBatch.open,
    },
    {
      id: "example",
      label: "Try the 200-question example",
      keywords: ["math", "gsm8k", "sample"],
      icon: IconBook2,
      menu: "file",
      keys: null,
      enabled: !example.isOpening,
      run: () => example.open(),
    },
    {
      id: "guide",
      label: "Open the guide",
      keywords: ["help", "manual", "documentation", "how to"],
      icon: IconBook,
      menu: "help",
      keys: "F1",
      run: () => void navigate({ to: "/guide" }),
    },
    {
      id: "shortcuts",
      label: "Show the keyboard shortcuts",
      keywords: ["help", "keys"],
      icon: IconKeyboard,
      menu: "help",
      keys: "shift+?",
      run: onShowShortcuts,
    },
    {
      id: "light",
      label: "Light theme",
      keywords: ["appearance", "colour", "color"],
      icon: IconSun,
      menu: "view",
      keys: null,
      run: () => setColorScheme("light"),
    },
    {
      id: "dark",
      label: "Dark theme",
      keywords: ["appearance", "colour", "color"],
      icon: IconMoon,
      menu: "view",
      keys: null,
      run: () => setColorScheme("dark"),
    },
    {
      id: "system",
      label: "Theme as the system",
      keywords: ["appearance", "colour", "color", "auto"],
      icon: IconDeviceDesktop,
      menu: "view",
      keys: null,
      run: () => setColorScheme("auto"),
    },
  ];
  useHostCommands(commands);
  const groups: SpotlightActionGroupData[] = [
    { group: "Pages", actions: commands.filter(({ menu }) => menu === "go").map(toAction) },
    { group: "Actions", actions: commands.filter(({ menu }) => menu !== "go").map(toAction) },
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
