import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AppInfo } from "#contract";
import { useApi } from "../../bridge/index.ts";
import { DiagnosticsDialog } from "./diagnostics-dialog.tsx";
import { LicensesDialog } from "./licenses-dialog.tsx";
import { Section } from "./section.tsx";
import classes from "./settings-page.module.css";

/** What this is, what it is made of, and what helps when something is wrong with it. */
export function AboutSection({ onOpenGuide }: { readonly onOpenGuide: () => void }) {
  const { data: info } = useQuery(useApi().app.info.queryOptions());
  const [opened, setOpened] = useState<"licenses" | "diagnostics" | null>(null);
  const close = () => setOpened(null);
  return (
    <Section title="About">
      <dl className={classes.panel} aria-busy={info === undefined}>
        <div className={classes.row}>
          <dt>Version</dt>
          <dd className={classes.versions}>{info === undefined ? null : describeVersions(info)}</dd>
        </div>
        <div className={classes.row}>
          <dt className={classes.part}>
            <span>Help</span>
            <span className={classes.faint}>The guide, from a table to checked answers, to read and search here</span>
          </dt>
          <dd>
            <Button size="xs" onClick={onOpenGuide}>
              Open the guide
            </Button>
          </dd>
        </div>
        <div className={classes.row}>
          <dt className={classes.part}>
            <span>Diagnostics</span>
            <span className={classes.faint}>
              Versions, counts and settings for a report, shown before they are copied
            </span>
          </dt>
          <dd>
            <Button size="xs" onClick={() => setOpened("diagnostics")}>
              Copy diagnostics…
            </Button>
          </dd>
        </div>
        <div className={classes.row}>
          <dt className={classes.part}>
            <span>Licences</span>
            <span className={classes.faint}>Sheaf is under the MIT licence, made with the work of many others</span>
          </dt>
          <dd>
            <Button size="xs" onClick={() => setOpened("licenses")}>
              Show licences
            </Button>
          </dd>
        </div>
      </dl>
      <DiagnosticsDialog opened={opened === "diagnostics"} onClose={close} />
      <LicensesDialog opened={opened === "licenses"} onClose={close} />
    </Section>
  );
}

function describeVersions({ version, host, versions: { node, electron, chromium } }: AppInfo): string {
  const parts = [
    `Sheaf ${version}${host === "browser" ? ", in the browser" : ""}`,
    electron === null ? null : `Electron ${electron}`,
    chromium === null ? null : `Chromium ${chromium}`,
    `Node ${node}`,
  ];
  return parts.filter((part) => part !== null).join(" · ");
}
