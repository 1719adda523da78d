import { Menu, Tooltip, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import {
  IconBook,
  IconCheck,
  IconDeviceDesktop,
  IconFiles,
  IconHome,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconMessage2,
  IconMoon,
  IconPencilPlus,
  IconServer2,
  IconSettings,
  IconShieldCheck,
  IconStack2,
  IconSun,
} from "@tabler/icons-react";
import { Link, useLocation } from "@tanstack/react-router";
import { sumRunning } from "../../features/batches/index.ts";
import { useBatches } from "../../queries/batch-queries.ts";
import classes from "./rail.module.css";
import { useShell } from "./shell-state.ts";

const pages = [
  { to: "/", path: "/", label: "Home", icon: IconHome },
  { to: "/build/{-$draftId}", path: "/build", label: "Build", icon: IconPencilPlus },
  { to: "/batches", path: "/batches", label: "Batches", icon: IconStack2 },
  { to: "/files", path: "/files", label: "Files", icon: IconFiles },
  { to: "/verify", path: "/verify", label: "Verify", icon: IconShieldCheck },
  { to: "/playground", path: "/playground", label: "Playground", icon: IconMessage2 },
  { to: "/server", path: "/server", label: "Server", icon: IconServer2 },
  { to: "/settings", path: "/settings", label: "Settings", icon: IconSettings },
] as const;

/** Below this width of the window the rail starts out collapsed, in CSS pixels. */
const narrowWindow = 1_000;

/** Whether the rail is collapsed: as the user has set it, else by the window's width. */
function useRail() {
  const chosen = useShell((state) => state.railCollapsed);
  const setCollapsed = useShell((state) => state.setRailCollapsed);
  const isNarrow = useMediaQuery(`(max-width: ${narrowWindow}px)`, undefined, { getInitialValueInEffect: false });
  const collapsed = chosen ?? isNarrow;
  return { collapsed, toggle: () => setCollapsed(!collapsed) };
}

function RunningBatches() {
  const { batches } = useBatches();
  const running = sumRunning(batches).batches;
  return running === 0 ? null : <span className={classes.count}>{running} running</span>;
}

/** The pages of the app, by icon and word; by icon alone when it is collapsed. */
export function Rail() {
  const { collapsed, toggle } = useRail();
  const isComparing = useLocation({ select: ({ pathname }) => pathname === "/compare" });
  const Toggle = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  const toggleLabel = collapsed ? "Widen the sidebar" : "Narrow the sidebar";
  return (
    <nav className={classes.root} aria-label="Pages" data-collapsed={collapsed || undefined}>
      <div className={classes.brand}>
        <BrandMark />
        <span className={classes.word}>Sheaf</span>
      </div>
      {pages.map(({ to, label, icon: Icon }) => (
        <Tooltip key={to} label={label} position="right" disabled={!collapsed}>
          <Link
            to={to}
            className={classes.link}
            activeProps={{ "data-active": true }}
            data-active={(isComparing && to === "/batches") || undefined}
            activeOptions={{ includeSearch: false, exact: to === "/" }}
          >
            <Icon size={18} stroke={1.6} aria-hidden />
            <span className={classes.word}>{label}</span>
            {to === "/batches" ? <RunningBatches /> : null}
          </Link>
        </Tooltip>
      ))}
      <div className={classes.footer}>
        <Tooltip label="Guide" position="right">
          <Link to="/guide" className={classes.toggle} activeProps={{ "data-active": true }} aria-label="Guide">
            <IconBook size={18} stroke={1.6} aria-hidden />
          </Link>
        </Tooltip>
        <ThemeSwitch />
        <Tooltip label={toggleLabel} position="right">
          <UnstyledButton className={classes.toggle} aria-label={toggleLabel} onClick={toggle}>
            <Toggle size={18} stroke={1.6} aria-hidden />
          </UnstyledButton>
        </Tooltip>
      </div>
    </nav>
  );
}

/** The mark: a bound sheaf of wheat. */
function BrandMark({ size = 24 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden focusable="false">
      <g fill="none" stroke="var(--accent)" strokeWidth="1.7" strokeLinecap="round">
        <path d="M12 22V9" />
        <path d="M12 15c-2.5-2-5.5-4-6.5-9" />
        <path d="M12 15c2.5-2 5.5-4 6.5-9" />
        <path d="M8 22c.5-3 2-5.5 4-7 2 1.5 3.5 4 4 7" />
        <path d="M12 9c-1.6-1.7-1.6-4.3 0-6 1.6 1.7 1.6 4.3 0 6z" fill="var(--accent)" fillOpacity=".25" />
        <path d="M8.5 15.5h7" />
      </g>
    </svg>
  );
}

const themeChoices = [
  { value: "light", label: "Light", icon: IconSun },
  { value: "dark", label: "Dark", icon: IconMoon },
  { value: "auto", label: "As the system", icon: IconDeviceDesktop },
] as const;

/** Light, dark, or as the system. */
function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Current = themeChoices.find(({ value }) => value === colorScheme)?.icon ?? IconSun;
  return (
    <Menu position="right-end" width={180}>
      <Menu.Target>
        <UnstyledButton className={classes.toggle} aria-label="Theme">
          <Tooltip label="Theme" position="right">
            <Current size={18} stroke={1.6} aria-hidden />
          </Tooltip>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {themeChoices.map(({ value, label, icon: Icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon size={16} stroke={1.6} />}
            rightSection={value === colorScheme ? <IconCheck size={14} aria-label="chosen" /> : null}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
