/** The square that an image is cropped to: how far it is enlarged, and what is in its center. */
export interface Crop {
  zoom: number
  /** The center of the square, as fractions of the width and height of the image. */
  x: number
  y: number
}

export const WHOLE: Crop = { zoom: 1, x: 0.5, y: 0.5 }
export const MAX_ZOOM = 4
export const SIDE = 256
const MAX_BYTES = 100 * 1024
const QUALITIES = [0.9, 0.7, 0.5]

type Size = Pick<ImageBitmap, 'width' | 'height'>

const sideOf = ({ width, height }: Size, zoom: number) => Math.min(width, height) / zoom
const between = (min: number, value: number, max: number) => Math.min(max, Math.max(min, value))

/** Keeps the square inside the image. */
export function inside(image: Size, { zoom, x, y }: Crop): Crop {
  const side = sideOf(image, zoom)
  const [marginX, marginY] = [side / 2 / image.width, side / 2 / image.height]
  return { zoom, x: between(marginX, x, 1 - marginX), y: between(marginY, y, 1 - marginY) }
}

/** The square after the image was moved by so many pixels of the canvas. */
export function moved(image: Size, crop: Crop, dx: number, dy: number): Crop {
  const scale = sideOf(image, crop.zoom) / SIDE
  const x = crop.x - (dx * scale) / image.width
  const y = crop.y - (dy * scale) / image.height
  return inside(image, { ...crop, x, y })
}

export function draw(canvas: HTMLCanvasElement, image: ImageBitmap, { zoom, x, y }: Crop): void {
  const context = canvas.getContext('2d')!
  const side = sideOf(image, zoom)
  const [left, top] = [x * image.width - side / 2, y * image.height - side / 2]
  context.imageSmoothingQuality = 'high'
  context.clearRect(0, 0, SIDE, SIDE)
  context.drawImage(image, left, top, side, side, 0, 0, SIDE, SIDE)
}

/** The canvas as WebP, or as PNG in browsers that cannot write WebP. */
export async function encode(canvas: HTMLCanvasElement): Promise<Blob> {
  for (const quality of QUALITIES) {
    const image = await toBlob(canvas, quality)
    if (image.size <= MAX_BYTES) return image
  }
  const half = document.createElement('canvas')
  half.width = half.height = SIDE / 2
  half.getContext('2d')!.drawImage(canvas, 0, 0, SIDE / 2, SIDE / 2)
  return toBlob(half, QUALITIES[0]!)
}

const toBlob = (canvas: HTMLCanvasElement, quality: number) =>
  new Promise<Blob>((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('toBlob'))),
      'image/webp',
      quality,
    ),
  )
