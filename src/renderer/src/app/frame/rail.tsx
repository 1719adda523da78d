import { Tooltip, UnstyledButton } from "@mantine/core";
import {
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconPencilPlus,
  IconStack2,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useFrame } from "../../state/index.ts";
import { BrandMark } from "./brand.tsx";
import classes from "./rail.module.css";
import { ThemeSwitch } from "./theme-switch.tsx";

const places = [
  { to: "/build/{-$draftId}", path: "/build", label: "Build", icon: IconPencilPlus },
  { to: "/batches", path: "/batches", label: "Batches", icon: IconStack2 },
] as const;

/** The places of the app, by icon and word; by icon alone when it is collapsed. */
export function Rail() {
  const collapsed = useFrame((state) => state.railCollapsed);
  const toggle = useFrame((state) => state.toggleRail);
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
            aria-label={label}
          >
            <Icon size={18} stroke={1.6} aria-hidden />
            <span className={classes.word}>{label}</span>
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
