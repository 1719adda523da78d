/** Hands a text to the user as a file. */
export function saveText(fileName: string, text: string): void {
  saveBlob(fileName, new Blob([text], { type: "text/csv;charset=utf-8" }));
}

/** How much sharper the picture is than the screen. */
const scale = 2;

/** Hands a drawing to the user as a picture, on the ground that it stands on. */
export function savePicture(fileName: string, drawing: Element | null | undefined): void {
  if (!drawing) return;
  const { width, height } = drawing.getBoundingClientRect();
  const copy = drawing.cloneNode(true) as Element;
  inlineColours(drawing, copy);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = width * scale;
    canvas.height = height * scale;
    const context = canvas.getContext("2d");
    if (context === null) return;
    context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--panel");
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => blob && saveBlob(fileName, blob), "image/png");
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
}

/** A picture knows no style sheet: what it is drawn with is written into it. */
function inlineColours(from: Element, to: Element): void {
  const { fill, stroke, fontFamily, fontSize } = getComputedStyle(from);
  to.setAttribute("fill", fill);
  to.setAttribute("stroke", stroke);
  to.setAttribute("font-family", fontFamily);
  to.setAttribute("font-size", fontSize);
  [...from.children].forEach((child, at) => {
    const copy = to.children[at];
    if (copy !== undefined) inlineColours(child, copy);
  });
}

function saveBlob(fileName: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}
