import { SegmentedControl, Title, useMantineColorScheme } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../bridge/index.ts";
import { ConnectionsSection } from "./connections-section.tsx";
import { NoticesSection } from "./notices-section.tsx";
import { Section } from "./section.tsx";
import classes from "./settings-page.module.css";
import { StorageSection } from "./storage-section.tsx";

/** What holds for the whole app: models elsewhere, its look, and where it is. */
export function SettingsPage() {
  return (
    <div className={classes.root}>
      <header className={classes.head}>
        <Title>Settings</Title>
      </header>
      <ConnectionsSection />
      <AppearanceSection />
      <NoticesSection />
      <StorageSection />
      <AboutSection />
    </div>
  );
}

function AppearanceSection() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Section title="Appearance">
      <div className={classes.panel}>
        <div className={classes.row}>
          <span id="settings-theme">Theme</span>
          <SegmentedControl
            aria-labelledby="settings-theme"
            data={[
              { value: "light", label: "Light" },
              { value: "dark", label: "Dark" },
              { value: "auto", label: "As the system" },
            ]}
            value={colorScheme}
            onChange={setColorScheme}
          />
        </div>
      </div>
    </Section>
  );
}

function AboutSection() {
  const { data: info } = useQuery(useApi().app.info.queryOptions());
  return (
    <Section title="About">
      <dl className={classes.panel} aria-busy={info === undefined}>
        <div className={classes.row}>
          <dt>Version</dt>
          <dd>{info?.version}</dd>
        </div>
      </dl>
    </Section>
  );
}
