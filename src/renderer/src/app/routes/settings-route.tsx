import { SettingsPage } from "../../features/settings/index.ts";
import { Page } from "../shell/page.tsx";

/** `/settings`. */
export function SettingsRoute() {
  return (
    <Page title="Settings">
      <SettingsPage />
    </Page>
  );
}
