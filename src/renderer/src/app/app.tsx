import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { type Bridge, BridgeProvider, useConnection } from "../bridge/index.ts";
import { NoEntryPage } from "./message-pages.tsx";
import type { AppRouter } from "./router.tsx";
import { resolveCssVariables, theme, themeKey } from "./theme/theme.ts";

const colorSchemeManager = localStorageColorSchemeManager({ key: themeKey });

export interface AppProps {
  readonly bridge: Bridge;
  readonly queryClient: QueryClient;
  readonly router: AppRouter;
  /** Of the page's content security policy, for style elements made at run time. */
  readonly nonce: string;
}

/** The whole page: what every screen needs around it, then the screen that the address names. */
export function App({ bridge, queryClient, router, nonce }: AppProps) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveCssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <BridgeProvider value={bridge}>
        <QueryClientProvider client={queryClient}>
          <Notifications position="bottom-right" autoClose={6_000} limit={4} />
          <Screen router={router} />
        </QueryClientProvider>
      </BridgeProvider>
    </MantineProvider>
  );
}

/** A page that was let in once stays as it is when its host is started again: what was typed in it is not lost. */
function Screen({ router }: Pick<AppProps, "router">) {
  const { status, openings } = useConnection();
  return status === "refused" && openings === 0 ? <NoEntryPage /> : <RouterProvider router={router} />;
}
