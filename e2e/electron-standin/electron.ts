import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { EventEmitter, once } from "node:events";
import type {
  Clipboard,
  DecryptStringAsyncReturnValue,
  Dialog,
  MessageBoxOptions,
  MessageBoxReturnValue,
  SafeStorage,
  SaveDialogOptions,
  SaveDialogReturnValue,
  Shell,
} from "electron";
import { type AppSetting, AppStandIn } from "./app.ts";
import { type BrowserWindowStandIn, createBrowserWindowClass } from "./browser-window.ts";
import {
  createImage,
  createNotificationClass,
  createTrayClass,
  type Desktop,
  MenuStandIn,
  PowerMonitorStandIn,
  PowerSaveBlockerStandIn,
} from "./desktop.ts";
import { MessageChannelMainStandIn } from "./message-ports.ts";
import { ProtocolStandIn, SessionStandIn } from "./session.ts";
import { createUtilityProcess } from "./utility-process.ts";

/**
 * As much of Electron's main process as the app uses, for plain Node. Every part is typed as a pick of Electron's own
 * types: what Electron renames or changes does not compile here either.
 */
export function createElectronStandIn(setting: AppSetting, desktop: Desktop, keyStore: KeyStore = "gnome_libsecret") {
  const app = new AppStandIn(setting);
  const protocol = new ProtocolStandIn(app);
  const session = { defaultSession: new SessionStandIn(protocol) };
  const ipcMain = new EventEmitter();
  const BrowserWindow = createBrowserWindowClass(app, {
    fetch: (url) => protocol.fetch(url),
    deliver: (channel, event, args) => void ipcMain.emit(channel, event, ...args),
  });
  const shell = new ShellStandIn();
  const dialog = new DialogStandIn();
  const tray = createTrayClass(desktop);
  return {
    app,
    BrowserWindow,
    clipboard: new ClipboardStandIn(),
    dialog,
    ipcMain,
    Menu: new MenuStandIn(),
    MessageChannelMain: MessageChannelMainStandIn,
    nativeImage: { createFromBitmap: createImage },
    nativeTheme: Object.assign(new EventEmitter(), { shouldUseDarkColors: false, themeSource: "system" }),
    Notification: createNotificationClass(desktop),
    powerMonitor: new PowerMonitorStandIn(),
    powerSaveBlocker: new PowerSaveBlockerStandIn(),
    protocol,
    safeStorage: new SafeStorageStandIn(keyStore),
    session,
    shell,
    Tray: tray,
    utilityProcess: createUtilityProcess(app),
  };
}

export type ElectronStandIn = ReturnType<typeof createElectronStandIn>;

class ShellStandIn implements Pick<Shell, "openExternal" | "showItemInFolder"> {
  readonly opened: string[] = [];
  /** The files that were shown in their folders. */
  readonly shown: string[] = [];

  showItemInFolder(path: string): void {
    this.shown.push(path);
  }

  async openExternal(url: string): Promise<void> {
    this.opened.push(url);
  }
}

class ClipboardStandIn implements Pick<Clipboard, "writeText"> {
  text = "";

  async writeText(text: string): Promise<void> {
    this.text = text;
  }
}

class DialogStandIn implements Pick<Dialog, "showErrorBox"> {
  readonly errors: string[] = [];
  /** Where the user saves; null for Cancel. */
  savePath: string | null = null;
  readonly asked: SaveDialogOptions[] = [];
  readonly questions: MessageBoxOptions[] = [];

  async showSaveDialog(_window: BrowserWindowStandIn, options: SaveDialogOptions): Promise<SaveDialogReturnValue> {
    this.asked.push(options);
    return { canceled: this.savePath === null, filePath: this.savePath ?? "" };
  }

  /** The button that the user presses. */
  button = 0;
  /** The buttons that the user presses in one question after the other, before `button`. */
  readonly presses: string[] = [];

  /** A question belongs to a window, or to none. One that the app withdraws itself waits for that, or for its button. */
  async showMessageBox(
    ...given: [BrowserWindowStandIn, MessageBoxOptions] | [MessageBoxOptions]
  ): Promise<MessageBoxReturnValue> {
    const [options, window] = given.length === 1 ? given : [given[1], given[0]];
    if (window !== undefined && (!window.isVisible() || window.isMinimized()))
      throw new Error("Nobody sees a question of a window that is not on the screen.");
    const { signal, buttons = [], cancelId = 0 } = options;
    this.questions.push(options);
    const pressed = this.presses.shift();
    if (pressed === undefined && signal !== undefined) {
      if (!signal.aborted) await once(signal, "abort");
      return { response: cancelId, checkboxChecked: false };
    }
    const response = pressed === undefined ? this.button : buttons.indexOf(pressed);
    return { response, checkboxChecked: false };
  }

  showErrorBox(title: string, content: string): void {
    this.errors.push(`${title}: ${content}`);
  }
}

type SafeStorageMethods = Pick<
  SafeStorage,
  "isAsyncEncryptionAvailable" | "encryptStringAsync" | "decryptStringAsync" | "getSelectedStorageBackend"
>;

export type KeyStore = ReturnType<SafeStorage["getSelectedStorageBackend"]>;

/** The system's key for the app: the same at each start. */
const systemKey = randomBytes(32);

class SafeStorageStandIn implements SafeStorageMethods {
  readonly #keyStore: KeyStore;

  constructor(keyStore: KeyStore) {
    this.#keyStore = keyStore;
  }

  getSelectedStorageBackend() {
    return this.#keyStore;
  }

  async isAsyncEncryptionAvailable(): Promise<boolean> {
    return true;
  }

  async encryptStringAsync(text: string): Promise<Buffer> {
    const iv = randomBytes(16);
    const cipher = createCipheriv("aes-256-ctr", systemKey, iv);
    return Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final()]);
  }

  async decryptStringAsync(sealed: Buffer): Promise<DecryptStringAsyncReturnValue> {
    const decipher = createDecipheriv("aes-256-ctr", systemKey, sealed.subarray(0, 16));
    const result = decipher.update(sealed.subarray(16), undefined, "utf8") + decipher.final("utf8");
    return { result, shouldReEncrypt: false };
  }
}
