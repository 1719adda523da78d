import {
  ActionIcon,
  Button,
  type CSSVariablesResolver,
  createTheme,
  Input,
  type MantineColorsTuple,
} from "@mantine/core";
import type { MouseEvent } from "react";
import { filterOptions } from "./filter-options.ts";

/** Where the choice of theme is stored; Mantine reads and writes the same key. */
export const themeKey = "sheaf.theme";

/**
 * Mantine wants ten shades of a colour. Its own greys are cold; these are the paper's. Where a token fits, it is drawn
 * instead, through the resolver below.
 */
const wheat: MantineColorsTuple = [
  "#fbf3e3",
  "#f6ebd8",
  "#efd9b0",
  "#e9c784",
  "#e3b04b",
  "#cf962f",
  "#b97c1b",
  "#a36610",
  "#8f590d",
  "#6f450a",
];

const gray: MantineColorsTuple = [
  "#faf8f4",
  "#f0ede5",
  "#ece8df",
  "#e6e2d8",
  "#cfc9bb",
  "#b3ac9d",
  "#8b8477",
  "#6f685d",
  "#5a544a",
  "#332f29",
];
const dark: MantineColorsTuple = [
  "#ece9e2",
  "#cdc8be",
  "#b0aa9f",
  "#77726a",
  "#2e2c35",
  "#25242b",
  "#1d1c22",
  "#16151a",
  "#121116",
  "#0d0c10",
];

/** Mantine's components in this look: sizes of the 4 px grid, the tokens' fonts, hairlines before shadows. */
export const theme = createTheme({
  primaryColor: "wheat",
  primaryShade: { light: 7, dark: 4 },
  colors: { wheat, gray, dark },
  fontFamily: "var(--font-text)",
  fontFamilyMonospace: "var(--font-code)",
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "20px" },
  lineHeights: { xs: "16px", sm: "18px", md: "20px", lg: "24px", xl: "28px" },
  spacing: { xs: "8px", sm: "12px", md: "16px", lg: "20px", xl: "28px" },
  radius: { xs: "4px", sm: "6px", md: "8px", lg: "10px", xl: "14px" },
  defaultRadius: "md",
  headings: {
    fontFamily: "var(--font-text)",
    fontWeight: "640",
    sizes: { h1: { fontSize: "20px", lineHeight: "28px" } },
  },
  cursorType: "default",
  respectReducedMotion: true,
  activeClassName: "",
  components: {
    Button: Button.extend({
      defaultProps: { variant: "default" },
      vars: (_theme, props) => ({
        root: {
          "--button-height": props.size === "xs" ? "28px" : "32px",
          "--button-padding-x": props.size === "xs" ? "10px" : "12px",
          "--button-fz": props.size === "xs" ? "13px" : "14px",
          ...(props.variant === "filled" && props.color === undefined
            ? {
                "--button-bg": "var(--accent)",
                "--button-hover": "var(--accent-hover)",
                "--button-color": "var(--on-accent)",
              }
            : {}),
          ...(props.variant === "filled" && props.color === "red"
            ? { "--button-bg": "var(--red)", "--button-hover": "var(--red-hover)", "--button-color": "var(--on-red)" }
            : {}),
        },
      }),
      styles: {
        root: { flexShrink: 0, fontWeight: 500 },
        // Without motion, Mantine leaves out what would move it to the middle.
        loader: { transform: "translate(-50%, -50%)" },
      },
    }),
    Input: Input.extend({
      vars: () => ({
        wrapper: {
          "--input-height": "32px",
          "--input-fz": "14px",
          "--input-bg": "var(--panel)",
          "--input-bd": "var(--line)",
          "--input-bd-focus": "var(--accent)",
        },
      }),
    }),
    ActionIcon: ActionIcon.extend({
      defaultProps: { variant: "subtle", color: "gray" },
      vars: (_theme, props) => ({
        root:
          props.variant === "subtle" && props.color === "gray"
            ? { "--ai-color": "var(--faint)", "--ai-hover": "var(--hover)", "--ai-hover-color": "var(--ink)" }
            : {},
      }),
      // What has no ground when it works gets none when it does not.
      styles: (_theme, { variant, disabled }) => ({
        root: variant === "subtle" && disabled === true ? { backgroundColor: "transparent" } : {},
      }),
    }),
    InputWrapper: { styles: { label: { fontWeight: 450, fontSize: 13, color: "var(--soft)", marginBottom: 4 } } },
    SegmentedControl: {
      defaultProps: { withItemsBorders: false },
      styles: {
        root: { backgroundColor: "var(--sunk)", border: "1px solid var(--line)", padding: 2 },
        indicator: { backgroundColor: "var(--raised)", boxShadow: "0 1px 2px rgb(0 0 0 / 12%)" },
        label: { fontWeight: 450 },
      },
    },
    // Names of columns come from files of all systems.
    Select: { defaultProps: { filter: filterOptions } },
    // As round as other fields, one this small looks like a radio button.
    Checkbox: { defaultProps: { radius: "xs" } },
    Switch: { defaultProps: { withThumbIndicator: false } },
    Title: { styles: { root: { letterSpacing: "-0.015em" } } },
    Tooltip: { defaultProps: { openDelay: 400, withinPortal: true, transitionProps: { duration: 80 } } },
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, transitionProps: { duration: 80 }, shadow: "md" } },
    MenuDropdown: { defaultProps: { onClickCapture: focusTarget } },
    Popover: { defaultProps: { transitionProps: { duration: 80 }, shadow: "md" } },
    Notification: {
      defaultProps: { closeButtonProps: { "aria-label": "Dismiss" }, withBorder: true },
      styles: {
        root: { backgroundColor: "var(--raised)", boxShadow: "var(--shadow)" },
        title: { color: "var(--ink)", fontWeight: 550 },
        description: { color: "var(--soft)", overflowWrap: "anywhere" },
      },
    },
    Drawer: {
      defaultProps: {
        lockScroll: false,
        transitionProps: { duration: 100 },
        overlayProps: { backgroundOpacity: 0.4 },
        closeButtonProps: { "aria-label": "Close" },
        attributes: { header: { role: "presentation" } },
      },
      styles: {
        header: { backgroundColor: "var(--panel)" },
        content: { backgroundColor: "var(--panel)", borderInlineStart: "1px solid var(--line)" },
        title: { fontSize: 16, fontWeight: 600, lineHeight: "24px" },
      },
    },
    Modal: {
      defaultProps: {
        // The page itself never scrolls; the lock would want a style element without a nonce.
        lockScroll: false,
        centered: true,
        transitionProps: { duration: 100 },
        overlayProps: { backgroundOpacity: 0.4 },
        closeButtonProps: { "aria-label": "Close" },
        // A header of a dialog is no landmark of the page.
        attributes: { header: { role: "presentation" } },
      },
      styles: {
        header: { backgroundColor: "var(--panel)" },
        content: { backgroundColor: "var(--panel)", border: "1px solid var(--line)" },
        title: { fontSize: 16, fontWeight: 600, lineHeight: "24px" },
      },
    },
  },
});

/**
 * The item that was chosen goes with its menu: a dialog that it opens gives the focus back to where it was before, which is the
 * button of the menu.
 */
function focusTarget({ target, currentTarget }: MouseEvent<HTMLElement>): void {
  const isItem = target instanceof Element && target.closest("[role=menuitem]") !== null;
  if (isItem) document.getElementById(currentTarget.getAttribute("aria-labelledby") ?? "")?.focus();
}

const shared = {
  "--mantine-color-body": "var(--ground)",
  "--mantine-color-text": "var(--ink)",
  "--mantine-color-bright": "var(--ink)",
  "--mantine-color-dimmed": "var(--faint)",
  "--mantine-color-placeholder": "var(--faint)",
  "--mantine-color-anchor": "var(--accent-ink)",
  "--mantine-color-error": "var(--red)",
  "--mantine-color-default": "var(--panel)",
  "--mantine-color-default-hover": "var(--hover)",
  "--mantine-color-default-color": "var(--ink)",
  "--mantine-color-default-border": "var(--line)",
  "--mantine-color-disabled": "var(--sunk)",
  "--mantine-color-disabled-color": "var(--faint)",
  "--mantine-color-disabled-border": "var(--line)",
  "--mantine-primary-color-filled": "var(--accent)",
  "--mantine-primary-color-filled-hover": "var(--accent-hover)",
  "--mantine-primary-color-light": "var(--accent-soft)",
  "--mantine-primary-color-light-hover": "var(--accent-soft)",
  "--mantine-primary-color-light-color": "var(--accent-ink)",
  "--mantine-primary-color-contrast": "var(--on-accent)",
  "--mantine-color-red-filled": "var(--red)",
  "--mantine-color-red-text": "var(--red)",
  "--mantine-color-red-light": "var(--red-soft)",
  "--mantine-color-red-light-hover": "var(--red-soft)",
  "--mantine-color-red-light-color": "var(--red)",
  "--mantine-color-green-filled": "var(--green)",
  "--mantine-color-wheat-filled": "var(--accent)",
  "--mantine-color-wheat-filled-hover": "var(--accent-hover)",
  "--mantine-color-wheat-light": "var(--accent-soft)",
  "--mantine-color-wheat-light-hover": "var(--accent-soft)",
  "--mantine-color-wheat-light-color": "var(--accent-ink)",
  "--mantine-color-wheat-outline": "var(--accent-ink)",
  "--mantine-shadow-md": "var(--shadow)",
  "--mantine-shadow-xl": "var(--shadow)",
};

/** Points Mantine's colours at the tokens, so that a colour is written down once. */
export const resolveCssVariables: CSSVariablesResolver = () => ({ variables: {}, light: shared, dark: shared });
