import { Menu, Tooltip, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";
import classes from "./rail.module.css";

const themeChoices = [
  { value: "light", label: "Light", icon: IconSun },
  { value: "dark", label: "Dark", icon: IconMoon },
  { value: "auto", label: "As the system", icon: IconDeviceDesktop },
] as const;

/** Light, dark, or as the system. */
export function ThemeSwitch() {
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
