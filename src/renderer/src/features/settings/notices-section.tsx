import { Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../bridge/index.ts";
import { useEndNotices } from "../../state/end-notices.ts";
import { Section } from "./section.tsx";
import classes from "./settings-page.module.css";

/** Whether the system notifies of batches that end while the window is not in front. The browser is asked here, and nowhere else. */
export function NoticesSection() {
  const { data: info } = useQuery(useApi().app.info.queryOptions());
  const { isOn, turn } = useEndNotices();
  const canTell = "Notification" in window;
  const [permission, setPermission] = useState(canTell ? Notification.permission : "denied");
  const isAllowed = isOn && permission === "granted";

  const change = async (wanted: boolean) => {
    const granted = wanted ? await Notification.requestPermission() : permission;
    setPermission(granted);
    turn(wanted && granted === "granted");
  };

  return (
    <Section title="Notifications">
      <div className={classes.panel}>
        <div className={classes.row}>
          <div className={classes.part}>
            <span>{question}</span>
            <span className={classes.faint} id="settings-ends-note">
              {info?.host === "electron"
                ? "Your system shows them; its own settings turn them off."
                : explain(canTell, permission)}
            </span>
          </div>
          {info?.host === "browser" ? (
            <Switch
              aria-label={question}
              aria-describedby="settings-ends-note"
              checked={isAllowed}
              disabled={!canTell}
              onChange={(event) => void change(event.currentTarget.checked)}
            />
          ) : null}
        </div>
      </div>
    </Section>
  );
}

const question = "When a batch ends and Sheaf is not in front";

function explain(canTell: boolean, permission: NotificationPermission): string {
  if (!canTell) return "This browser has no notifications.";
  return permission === "denied"
    ? "This browser does not allow them for this address. Its site settings can change that."
    : "The browser asks you once whether it may.";
}
