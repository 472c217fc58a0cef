/**
 * Takes screenshots of every screen into dist/screens, from the demo of the built executable. The
 * screenshots that the documentation shows are replaced in docs/screens as well.
 */
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import UPNG from 'upng-js'
import { openBrowser } from './browser.ts'
import { build, isStale } from './build.ts'
import { SCREENS } from './screens/catalog.ts'
import { startInstances } from './screens/instances.ts'
import { openScreen, type Variant } from './screens/open-screen.ts'
import type { Screen } from './screens/screen.ts'

const root = join(import.meta.dir, '..')
const folder = join(root, 'dist/screens')
const documented = join(root, 'docs/screens')

/** If names are given, only screens whose names begin with one of them are taken. */
const prefixes = process.argv.slice(2)
const screens = SCREENS.filter(
  ({ name }) => !prefixes.length || prefixes.some((prefix) => name.startsWith(prefix)),
)

const VARIANTS: readonly Variant[] = [
  { theme: 'light' },
  { theme: 'dark' },
  { theme: 'light', isNarrow: true },
  { theme: 'dark', isNarrow: true },
]

const nameOf = ({ name }: Screen, { theme, isNarrow }: Variant) =>
  `${name}-${theme}${isNarrow ? '-narrow' : ''}.png`

/** The README shows these, so they are taken in double resolution. */
const isInReadme = (file: string) => /^board-(light|dark)\.png$/.test(file)

const COLOURS = 64

/**
 * Compresses with a palette. Screens have few colours, and the files become less than half as
 * large.
 */
function compress(image: Buffer): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = image
  const { width, height, ...rest } = UPNG.decode(
    buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer,
  )
  const frames = UPNG.toRGBA8({ width, height, ...rest })
  return UPNG.encode(frames, width, height, COLOURS)
}

if (isStale()) await build()
if (!prefixes.length) rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const instances = await startInstances()
const browser = await openBrowser()
let failed = 0

async function takeScreenshot(screen: Screen, variant: Variant) {
  const file = nameOf(screen, variant)
  const path = join(folder, file)
  try {
    const opened = await openScreen(browser, instances, screen, {
      ...variant,
      scale: isInReadme(file) ? 2 : 1,
    })
    const image = await opened.page.screenshot({ animations: 'disabled', caret: 'hide' })
    await Bun.write(path, compress(image))
    await opened.context.close()
    if (existsSync(join(documented, file))) copyFileSync(path, join(documented, file))
    if (!opened.problems.length) return
    console.error(`${file}: ${opened.problems.join('; ')}`)
  } catch (error) {
    console.error(`${file}: ${error instanceof Error ? error.message : error}`)
  }
  failed++
}

try {
  for (const screen of screens)
    for (const variant of VARIANTS)
      if (!(variant.isNarrow && screen.isWideOnly)) await takeScreenshot(screen, variant)
} finally {
  await browser.close()
  await instances.stop()
}
console.log(`dist/screens: ${failed} screenshots with problems`)
if (failed) process.exitCode = 1
