import { IconPlugConnectedX } from "@tabler/icons-react";
import { useIsMutating } from "@tanstack/react-query";
import { useState } from "react";
import { type ConnectionStatus, useConnection } from "../../bridge/index.ts";
import { formatClock, formatCount } from "../../components/index.ts";
import classes from "./bar.module.css";

type LostStatus = Exclude<ConnectionStatus, "open" | "connecting">;

/** Whether this is the desktop app, whose page has a scheme of its own. */
const isDesktop = location.protocol === "sheaf:";

const texts: Record<LostStatus, { readonly title: string; readonly next: string }> = {
  reconnecting: {
    title: "Sheaf’s service does not answer.",
    next: isDesktop
      ? "It is tried again."
      : "The page tries again by itself. If you restarted Sheaf, open the address that it printed.",
  },
  refused: {
    title: "Sheaf was started anew and does not know this page.",
    next: "Open the address that Sheaf printed in this browser. For a new address, press Enter in Sheaf’s terminal.",
  },
  lost: {
    title: "Sheaf’s service is gone.",
    next: isDesktop ? "Start Sheaf again." : "Start Sheaf again, and open the address that it prints.",
  },
};

/** Reports on every page that the host is not connected, since when, and what that means for what is on screen. */
export function ConnectionBar() {
  const { status, openings } = useConnection();
  if (status === "open" || status === "connecting" || (openings === 0 && status !== "lost")) return null;
  return <Lost status={status} wasThere={openings > 0} />;
}

function Lost({ status, wasThere }: { readonly status: LostStatus; readonly wasThere: boolean }) {
  const [since] = useState(Date.now);
  const waiting = useIsMutating();
  const { title, next } = texts[status];
  return (
    <div className={classes.bar}>
      <IconPlugConnectedX size={18} className={classes.icon} aria-hidden />
      <p className={classes.text} role="status">
        <strong>{title}</strong> {next}{" "}
        {wasThere ? (
          <span className={classes.soft}>
            What is shown is from {formatClock(since)}. What you have typed stays here, and batches go on when it is
            back.
          </span>
        ) : null}
      </p>
      {waiting === 0 ? null : (
        <span className={classes.waiting} role="status">
          {formatCount(waiting, "action waits", "actions wait")} for it
        </span>
      )}
    </div>
  );
}
