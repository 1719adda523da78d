import {
  type BrowserWindow,
  type IpcMainEvent,
  ipcMain,
  MessageChannelMain,
  type MessagePortMain,
  type WebFrameMain,
} from "electron";
import { channels } from "#contract";
import { isTrustedSender } from "./policy.ts";

/**
 * Answers each page load of the window with a port of its own. The port of the load before is closed, so that nothing is
 * answered into a page that has gone. `connect` gets the app's end, not started yet.
 */
export function setupHandshake(window: BrowserWindow, connect: (port: MessagePortMain) => void): void {
  let current: MessagePortMain | undefined;

  const answer = (event: IpcMainEvent) => {
    const frame = event.senderFrame;
    const sender = { ownWindow: event.sender === window.webContents, frame: frame && describeFrame(frame) };
    if (frame === null || !isTrustedSender(sender)) return;
    current?.close();
    const { port1, port2 } = new MessageChannelMain();
    current = port1;
    connect(port1);
    frame.postMessage(channels.port, null, [port2]);
  };

  ipcMain.on(channels.connect, answer);
  window.once("closed", () => {
    ipcMain.off(channels.connect, answer);
    current?.close();
  });
}

function describeFrame(frame: WebFrameMain) {
  return { origin: frame.origin, isMain: frame.parent === null };
}
