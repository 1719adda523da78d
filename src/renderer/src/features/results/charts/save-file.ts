/** Hands a text to the user as a file. */
export function saveText(fileName: string, text: string): void {
  saveBlob(fileName, new Blob([text], { type: "text/csv;charset=utf-8" }));
}

/** How much sharper a picture is than the screen. */
const scale = 2;
/** Around what is drawn, in CSS pixels. */
const margin = 16;

/** Saves bars as a picture: the elements marked as drawn, at their places on screen. */
export function saveBars(fileName: string, title: string, chart: HTMLElement): void {
  const { left, top, width, height } = chart.getBoundingClientRect();
  const head = 32;
  paint(fileName, width + 2 * margin, height + head + 2 * margin, (context) => {
    const { color, fontFamily } = getComputedStyle(chart);
    context.textBaseline = "middle";
    context.fillStyle = color;
    context.font = `600 14px ${fontFamily}`;
    context.fillText(title, margin, margin + 8);
    for (const part of chart.querySelectorAll<HTMLElement>("[data-drawn]")) {
      const box = part.getBoundingClientRect();
      const [x, y] = [box.left - left + margin, box.top - top + margin + head];
      const style = getComputedStyle(part);
      if (part.dataset.drawn === "bar") {
        context.fillStyle = style.backgroundColor;
        context.fillRect(x, y, box.width, box.height);
      } else {
        context.fillStyle = style.color;
        context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
        const isAtEnd = style.textAlign === "right";
        context.textAlign = isAtEnd ? "right" : "left";
        context.fillText(part.textContent, isAtEnd ? x + box.width : x, y + box.height / 2, box.width);
      }
    }
  });
}

/** Paints a picture of so many CSS pixels on the ground of a panel. */
function paint(
  fileName: string,
  width: number,
  height: number,
  draw: (context: CanvasRenderingContext2D) => void,
): void {
  const canvas = document.createElement("canvas");
  canvas.width = width * scale;
  canvas.height = height * scale;
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.scale(scale, scale);
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--panel");
  context.fillRect(0, 0, width, height);
  draw(context);
  canvas.toBlob((blob) => blob && saveBlob(fileName, blob), "image/png");
}

function saveBlob(fileName: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}
