import { fault } from '../../../../kernel/fault.ts'
import type { Picture } from '../../people/model/index.ts'

/** The app scales pictures to this many pixels before it uploads them. */
const MAX_SIDE = 512
export const MAX_PICTURE_BYTES = 100 * 1024

interface Image {
  type: Picture['type']
  width: number
  height: number
}

/** Reads the format and the dimensions from the bytes, and refuses all but small squares. */
export function checkPicture(bytes: Uint8Array): Picture['type'] {
  if (bytes.length > MAX_PICTURE_BYTES)
    throw refused('too_long', `A picture can have at most ${MAX_PICTURE_BYTES} bytes`)
  const image = readImage(bytes)
  if (!image) throw refused('invalid_format', 'The picture must be a PNG or WebP image')
  const { type, width, height } = image
  if (width !== height || width < 1 || width > MAX_SIDE)
    throw refused(
      'out_of_range',
      `The picture must be a square of at most ${MAX_SIDE} pixels; it has ${width} × ${height}`,
    )
  return type
}

const refused = (code: 'too_long' | 'invalid_format' | 'out_of_range', message: string) =>
  fault.invalid('data', code, message, undefined, 'Scale it to 256 × 256 pixels, as PNG or WebP')

function readImage(bytes: Uint8Array): Image | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))
  if (bytes.length < 30) return undefined
  if (text(0, 8) === '\x89PNG\r\n\x1a\n' && text(12, 16) === 'IHDR')
    return { type: 'png', width: view.getUint32(16), height: view.getUint32(20) }
  if (text(0, 4) !== 'RIFF' || text(8, 12) !== 'WEBP') return undefined
  const size = webpSides(text(12, 16), view)
  return size && { type: 'webp', width: size[0], height: size[1] }
}

/** The three kinds of WebP store their dimensions in different bits: lossy, lossless, extended. */
function webpSides(kind: string, view: DataView): readonly [number, number] | undefined {
  const uint24 = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
  if (kind === 'VP8 ') return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff]
  if (kind === 'VP8X') return [uint24(24) + 1, uint24(27) + 1]
  if (kind !== 'VP8L') return undefined
  const bits = view.getUint32(21, true)
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
}
