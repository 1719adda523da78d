import { EventEmitter } from "node:events";
import type {
  MenuItemConstructorOptions,
  NativeImage,
  Notification,
  NotificationConstructorOptions,
  PowerMonitor,
  PowerSaveBlocker,
  Tray,
} from "electron";

/** What the user's desktop has. */
export interface Desktop {
  readonly hasTray: boolean;
  readonly hasNotifications: boolean;
}

type Template = readonly MenuItemConstructorOptions[];

/** A menu that was built of a template. */
interface BuiltMenu {
  readonly template: Template;
}

export class MenuStandIn {
  /** What the app's menu was built of. */
  template: Template = [];
  isSet = false;

  buildFromTemplate(template: Template): BuiltMenu {
    return { template };
  }

  setApplicationMenu({ template }: BuiltMenu): void {
    this.template = template;
    this.isSet = true;
  }
}

/** The item of a menu with this label, wherever it is. */
export function findItem(template: Template, label: string): MenuItemConstructorOptions {
  const items = template.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? item.submenu : [])]);
  const nested = items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? item.submenu : [])]);
  const found = nested.find((item) => item.label === label);
  if (found === undefined) throw new Error(`The menu has no item ${label}.`);
  return found;
}

/** The user clicks an item. */
export function click(item: MenuItemConstructorOptions): void {
  if (item.enabled === false) throw new Error(`${item.label} is not enabled.`);
  // Untyped, because the arguments of a real click are a whole menu item and window.
  Reflect.apply(item.click ?? (() => {}), undefined, []);
}

type TrayMethods = Pick<Tray, "setToolTip"> & { setContextMenu(menu: BuiltMenu): void };

class TrayStandIn extends EventEmitter implements TrayMethods {
  toolTip = "";
  template: Template = [];

  setToolTip(toolTip: string): void {
    this.toolTip = toolTip;
  }

  setContextMenu({ template }: BuiltMenu): void {
    this.template = template;
  }
}

/** The class `Tray` of one app; `current` is the tray that it has made. */
export function createTrayClass({ hasTray }: Desktop) {
  return class extends TrayStandIn {
    static current: TrayStandIn | undefined;

    constructor() {
      super();
      if (!hasTray) throw new Error("There is no tray on this desktop.");
      new.target.current = this;
    }
  };
}

type ImageMethods = Pick<NativeImage, "addRepresentation" | "setTemplateImage">;

export function createImage(pixels: Buffer, { width, height }: { width: number; height: number }): ImageMethods {
  if (pixels.length !== width * height * 4) throw new Error("A bitmap has four bytes for each pixel.");
  return { addRepresentation: () => {}, setTemplateImage: () => {} };
}

class NotificationStandIn extends EventEmitter implements Pick<Notification, "show"> {
  readonly options: NotificationConstructorOptions;
  readonly #shown: NotificationStandIn[];

  constructor(options: NotificationConstructorOptions, shown: NotificationStandIn[]) {
    super();
    this.options = options;
    this.#shown = shown;
  }

  show(): void {
    this.#shown.push(this);
  }
}

/** The class `Notification` of one app; `shown` are those that it has shown. */
export function createNotificationClass({ hasNotifications }: Desktop) {
  const shown: NotificationStandIn[] = [];
  return class extends NotificationStandIn {
    static readonly shown = shown;
    static readonly isSupported = () => hasNotifications;

    constructor(options: NotificationConstructorOptions = {}) {
      super(options, shown);
    }
  };
}

export class PowerMonitorStandIn extends EventEmitter implements Pick<PowerMonitor, "isOnBatteryPower"> {
  isOnBattery = false;

  isOnBatteryPower(): boolean {
    return this.isOnBattery;
  }
}

export class PowerSaveBlockerStandIn implements Pick<PowerSaveBlocker, "start" | "stop"> {
  /** What keeps the computer awake now. */
  readonly active = new Map<number, string>();
  #started = 0;

  start(type: Parameters<PowerSaveBlocker["start"]>[0]): number {
    this.#started += 1;
    this.active.set(this.#started, type);
    return this.#started;
  }

  stop(id: number): boolean {
    return this.active.delete(id);
  }
}
