import { Switch } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../bridge/index.ts";
import { showFailure } from "../../components/index.ts";
import { Section } from "./section.tsx";
import classes from "./settings-page.module.css";

const question = "Keep this computer awake while Sheaf asks lines";

/** What the desktop app does with the computer that it is on. A browser has none of it. */
export function DesktopSection() {
  const api = useApi();
  const queryClient = useQueryClient();
  const { data: info } = useQuery(api.app.info.queryOptions());
  const isDesktop = info?.host === "electron";
  const { data } = useQuery({ ...api.desktop.preferences.queryOptions(), enabled: isDesktop });
  const change = useMutation(
    api.desktop.setPreferences.mutationOptions({
      onSuccess: (next) => queryClient.setQueryData(api.desktop.preferences.queryKey(), next),
      onError: (error) => showFailure("This could not be changed", error),
    }),
  );
  if (!isDesktop) return null;
  return (
    <Section title="Power">
      <div className={classes.panel}>
        <div className={classes.row}>
          <div className={classes.part}>
            <span>{question}</span>
            <span className={classes.faint} id="settings-awake-note">
              Not on battery, and not for a batch at a service, which goes on by itself.
            </span>
          </div>
          <Switch
            aria-label={question}
            aria-describedby="settings-awake-note"
            checked={data?.keepsAwake ?? false}
            disabled={data === undefined}
            onChange={(event) => change.mutate({ keepsAwake: event.currentTarget.checked })}
          />
        </div>
      </div>
    </Section>
  );
}
