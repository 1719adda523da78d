import { Button } from "@mantine/core";
import { IconMapOff } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { EmptyState } from "../../components/index.ts";
import { Place } from "../frame/place.tsx";

/** An address that leads nowhere. */
export function NotFoundPlace() {
  return (
    <Place title="Nothing here">
      <EmptyState
        icon={<IconMapOff size={26} />}
        isPage
        title="Nothing is at this address"
        actions={
          <Button variant="filled" renderRoot={(props) => <Link to="/batches" {...props} />}>
            Go to batches
          </Button>
        }
      >
        The link may be old, or the thing may have been removed.
      </EmptyState>
    </Place>
  );
}
