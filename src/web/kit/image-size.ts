/**
 * The size of an uploaded image is kept at the end of its address, as in `…/content#640x480`. The
 * text stays plain markdown, and readers reserve the space before the image has loaded.
 */
const SIZE = /#(\d{1,5})x(\d{1,5})$/

/** The end of the address of an image file; nothing if the browser cannot read it. */
export async function sizeSuffix(file: File): Promise<string> {
  try {
    const { width, height } = await createImageBitmap(file)
    return `#${width}x${height}`
  } catch {
    return ''
  }
}

/** Sets the size of an image from its address, unless the text sets it. */
export function reserveSpace(image: HTMLImageElement) {
  const [, width, height] = SIZE.exec(image.src) ?? []
  if (!Number(width) || !Number(height) || image.hasAttribute('width')) return
  image.width = Number(width)
  image.height = Number(height)
}
