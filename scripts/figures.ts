/** Measures what the web app promises, with a real browser on the built executable. */
import { openBrowser } from './browser.ts'
import { build, stale } from './build.ts'
import { live } from './figures/agent.ts'
import {
  calibrated,
  dropped,
  opened,
  pressed,
  type Seat,
  scrolled,
  sit,
  written,
} from './figures/board.ts'
import { bytes } from './figures/bytes.ts'
import { openCrowd } from './figures/crowd.ts'
import { lighthouse } from './figures/lighthouse.ts'
import { isMissed, type Row, tableOf } from './figures/row.ts'
import { searched } from './figures/screens.ts'
import { openWorlds } from './screens/world.ts'

/** Few samples, a small board, and neither Lighthouse nor all screens: whether it works at all. */
const isQuick = process.argv.includes('--quick')
const times = (many: number) => (isQuick ? Math.ceil(many / 10) : many)

async function onCrowd(): Promise<{ rows: Row[]; words: string[] }> {
  const crowd = await openCrowd(isQuick ? 0.1 : 1)
  const browser = await openBrowser()
  try {
    const seat: Seat = await sit(browser, crowd)
    const rows = [
      ...(await calibrated(seat, crowd, times(100))),
      await opened(seat, crowd, times(10)),
      ...(await pressed(seat, crowd, times(260))),
      ...(await scrolled(seat, crowd, times(300))),
      ...(await dropped(seat, crowd, times(20))),
      ...(await written(seat, crowd, times(20))),
      await live(seat, crowd, times(30)),
    ]
    const words = seat.complaints.map((one) => `a board of many cards: ${one}`)
    const figure = 'a board of many cards: errors, warnings, strangers'
    return { rows: [...rows, { figure, value: words.length, unit: '', most: 0 }], words }
  } finally {
    await browser.close()
    await crowd.stop()
  }
}

async function onDemo(): Promise<{ rows: Row[]; words: string[] }> {
  const worlds = await openWorlds()
  const browser = await openBrowser()
  try {
    const rows = await bytes(browser, worlds.demo)
    if (isQuick) return { rows, words: [] }
    const { rows: more, words } = await searched(browser, worlds)
    return { rows: [...rows, ...more, ...(await lighthouse(worlds.demo))], words }
  } finally {
    await browser.close()
    await worlds.stop()
  }
}

if (stale()) await build()
const crowd = await onCrowd()
const demo = await onDemo()
const rows = [...crowd.rows, ...demo.rows]
console.log(tableOf(rows))
for (const one of [...crowd.words, ...demo.words]) console.log(`  ${one}`)
if (rows.some(isMissed)) process.exitCode = 1
