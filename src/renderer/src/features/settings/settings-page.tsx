import { SegmentedControl, Title, useMantineColorScheme } from "@mantine/core";
import { AboutSection } from "./about-section.tsx";
import { ConnectionsSection } from "./connections-section.tsx";
import { DataSection } from "./data-section.tsx";
import { DesktopSection } from "./desktop-section.tsx";
import { NoticesSection } from "./notices-section.tsx";
import { Section } from "./section.tsx";
import classes from "./settings-page.module.css";
import { StorageSection } from "./storage-section.tsx";

/** What holds for the whole app: models elsewhere, its look, and where it is. */
export function SettingsPage({ onOpenGuide }: { readonly onOpenGuide: () => void }) {
  return (
    <div className={classes.root}>
      <header className={classes.head}>
        <Title>Settings</Title>
      </header>
      <ConnectionsSection />
      <AppearanceSection />
      <NoticesSection />
      <DesktopSection />
      <DataSection />
      <StorageSection />
      <AboutSection onOpenGuide={onOpenGuide} />
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
