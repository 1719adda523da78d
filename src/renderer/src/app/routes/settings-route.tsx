import { useNavigate } from "@tanstack/react-router";
import { SettingsPage } from "../../features/settings/index.ts";
import { Page } from "../shell/page.tsx";

/** `/settings`. */
export function SettingsRoute() {
  const navigate = useNavigate();
  return (
    <Page title="Settings">
      <SettingsPage onOpenGuide={() => void navigate({ to: "/guide" })} />
    </Page>
  );
}
