// First: what it sets must be there before any schema is made.
import "./configure-zod.ts";

import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "@mantine/core/styles.layer.css";
import "@mantine/notifications/styles.layer.css";
import "@mantine/spotlight/styles.layer.css";
import "./theme/tokens.css";
import "./theme/global.css";
import "./theme/forced-colors.css";
import "./theme/print.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createBridge, createQueryClient, readCspNonce } from "../bridge/index.ts";
import { App } from "./app.tsx";
import { createAppRouter } from "./router.tsx";

const bridge = createBridge(window);
const queryClient = createQueryClient(bridge.connection);
const router = createAppRouter({ bridge, queryClient });
const root = document.getElementById("root");

if (root) {
  createRoot(root).render(
    <StrictMode>
      <App bridge={bridge} queryClient={queryClient} router={router} nonce={readCspNonce(document)} />
    </StrictMode>,
  );
}
