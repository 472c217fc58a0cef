/**
 * Takes a picture of every screen into dist/screens, from a demo of the built executable. The
 * pictures that the documentation already shows are replaced in docs/screens as well.
 */
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import UPNG from 'upng-js'
import { openBrowser } from './browser.ts'
import { build, stale } from './build.ts'
import type { Place } from './screens/place.ts'
import { PLACES } from './screens/places.ts'
import { sitAt, type Way } from './screens/seat.ts'
import { openWorlds } from './screens/world.ts'

const root = join(import.meta.dir, '..')
const folder = join(root, 'dist/screens')
const documented = join(root, 'docs/screens')

/** Only those whose names begin so, where some are named. */
const asked = process.argv.slice(2)
const places = PLACES.filter(
  ({ name }) => !asked.length || asked.some((start) => name.startsWith(start)),
)

const WAYS: readonly Way[] = [
  { theme: 'light' },
  { theme: 'dark' },
  { theme: 'light', isNarrow: true },
  { theme: 'dark', isNarrow: true },
]

const nameOf = ({ name }: Place, { theme, isNarrow }: Way) =>
  `${name}-${theme}${isNarrow ? '-narrow' : ''}.png`

/** The README shows these on screens of any density. */
const isShown = (file: string) => /^board-(light|dark)\.png$/.test(file)

const COLOURS = 256

/** With a palette, which a screen's few colours hardly need more than; less than half as large. */
function packed(image: Buffer): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = image
  const { width, height, ...rest } = UPNG.decode(
    buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer,
  )
  const frames = UPNG.toRGBA8({ width, height, ...rest })
  return UPNG.encode(frames, width, height, COLOURS)
}

if (stale()) await build()
if (!asked.length) rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const worlds = await openWorlds()
const browser = await openBrowser()
let failed = 0

async function picture(place: Place, way: Way) {
  const file = nameOf(place, way)
  const path = join(folder, file)
  try {
    const seat = await sitAt(browser, worlds, place, { ...way, scale: isShown(file) ? 2 : 1 })
    const image = await seat.page.screenshot({ animations: 'disabled', caret: 'hide' })
    await Bun.write(path, packed(image))
    await seat.context.close()
    if (existsSync(join(documented, file))) copyFileSync(path, join(documented, file))
    if (!seat.complaints.length) return
    console.error(`${file}: ${seat.complaints.join('; ')}`)
  } catch (error) {
    console.error(`${file}: ${error instanceof Error ? error.message : error}`)
  }
  failed++
}

try {
  for (const place of places)
    for (const way of WAYS) if (!(way.isNarrow && place.isWide)) await picture(place, way)
} finally {
  await browser.close()
  await worlds.stop()
}
console.log(`dist/screens: ${failed} pictures with something wrong`)
if (failed) process.exitCode = 1
