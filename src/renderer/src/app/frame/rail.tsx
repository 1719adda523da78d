import { Tooltip, UnstyledButton } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import {
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconPencilPlus,
  IconServer2,
  IconShieldCheck,
  IconStack2,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { sumRunning, useBatches } from "../../features/batches/index.ts";
import { useFrame } from "../../state/index.ts";
import { BrandMark } from "./brand.tsx";
import classes from "./rail.module.css";
import { ThemeSwitch } from "./theme-switch.tsx";

const places = [
  { to: "/build/{-$draftId}", path: "/build", label: "Build", icon: IconPencilPlus },
  { to: "/batches", path: "/batches", label: "Batches", icon: IconStack2 },
  { to: "/verify", path: "/verify", label: "Verify", icon: IconShieldCheck },
  { to: "/server", path: "/server", label: "Server", icon: IconServer2 },
] as const;

/** Below this width of the window the rail starts out collapsed, in CSS pixels. */
const narrowWindow = 1_000;

/** Whether the rail is collapsed: as the user has set it, else by the window's width. */
function useRail() {
  const chosen = useFrame((state) => state.railCollapsed);
  const setCollapsed = useFrame((state) => state.setRailCollapsed);
  const isNarrow = useMediaQuery(`(max-width: ${narrowWindow}px)`, undefined, { getInitialValueInEffect: false });
  const collapsed = chosen ?? isNarrow;
  return { collapsed, toggle: () => setCollapsed(!collapsed) };
}

function RunningBatches() {
  const { batches } = useBatches();
  const running = sumRunning(batches).batches;
  return running === 0 ? null : <span className={classes.count}>{running} running</span>;
}

/** The places of the app, by icon and word; by icon alone when it is collapsed. */
export function Rail() {
  const { collapsed, toggle } = useRail();
  const Toggle = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  const toggleLabel = collapsed ? "Widen the sidebar" : "Narrow the sidebar";
  return (
    <nav className={classes.root} aria-label="Places" data-collapsed={collapsed || undefined}>
      <div className={classes.brand}>
        <BrandMark />
        <span className={classes.word}>Sheaf</span>
      </div>
      {places.map(({ to, label, icon: Icon }) => (
        <Tooltip key={to} label={label} position="right" disabled={!collapsed}>
          <Link
            to={to}
            className={classes.place}
            activeProps={{ "data-active": true }}
            activeOptions={{ includeSearch: false }}
          >
            <Icon size={18} stroke={1.6} aria-hidden />
            <span className={classes.word}>{label}</span>
            {to === "/batches" ? <RunningBatches /> : null}
          </Link>
        </Tooltip>
      ))}
      <div className={classes.foot}>
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
