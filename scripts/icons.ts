/** Draws the icons of the installed app: the pin of `/icon.svg` as PNG files. */
import { deflateSync } from 'node:zlib'

interface Icon {
  size: number
  /** The radius of the pin, as part of the size. */
  radius: number
  /** Without one, the icon is transparent. */
  background?: readonly [number, number, number]
}

const PAPER = [251, 250, 248] as const
const CORK = [184, 115, 51] as const

export const ICONS: Record<string, Icon> = {
  'icon-180.png': { size: 180, radius: 0.3, background: PAPER },
  'icon-192.png': { size: 192, radius: 0.375 },
  'icon-512.png': { size: 512, radius: 0.375 },
  // Systems cut a maskable icon to a shape of theirs, so its pin is smaller.
  'icon-maskable.png': { size: 512, radius: 0.26, background: PAPER },
}

export function drawIcon({ size, radius, background }: Icon): Buffer {
  const rows = Buffer.alloc(size * (size * 4 + 1))
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const distance = Math.hypot(x + 0.5 - size / 2, y + 0.5 - size / 2)
      // Between 0 and 1 along the edge, so that it looks smooth.
      const cover = Math.min(1, Math.max(0, radius * size - distance + 0.5))
      const at = y * (size * 4 + 1) + 1 + x * 4
      for (const channel of [0, 1, 2] as const)
        rows[at + channel] = background
          ? CORK[channel] * cover + background[channel] * (1 - cover)
          : CORK[channel]
      rows[at + 3] = background ? 255 : cover * 255
    }
  return png(size, rows)
}

function png(size: number, rows: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  // 8 bits for each of red, green, blue and alpha.
  header.set([8, 6, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(Bun.hash.crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
