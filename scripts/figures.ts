/**
 * Measures what the web app promises, with a real browser on the built executable.
 *
 *   npm run figures -- [--quick] [board] [transcript] [bytes] [screens] [lighthouse]
 */
import { openBrowser } from './browser.ts'
import { build, stale } from './build.ts'
import { live } from './figures/agent.ts'
import {
  calibrated,
  dropped,
  laid,
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
import { transcript } from './figures/transcript.ts'
import { openWorlds } from './screens/world.ts'

interface Found {
  rows: Row[]
  /** What went wrong, and where. */
  words?: string[]
}
const PARTS = ['board', 'transcript', 'bytes', 'screens', 'lighthouse'] as const
type Part = (typeof PARTS)[number]

/** Few samples and a small board: whether it works at all. */
const isQuick = process.argv.includes('--quick')
const named = process.argv.slice(2).filter((one) => one !== '--quick')
for (const one of named)
  if (!PARTS.includes(one as Part)) {
    console.error(`There is no part "${one}"; there are ${PARTS.join(', ')}`)
    process.exit(2)
  }
const wanted = (part: Part) =>
  named.length ? named.includes(part) : !isQuick || part === 'board' || part === 'bytes'
const times = (many: number) => (isQuick ? Math.ceil(many / 10) : many)

async function onCrowd(): Promise<Found> {
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
      ...(await laid(seat, crowd, times(60))),
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

let isMet = true

/** Shows what a part came to as soon as it is known. */
async function measure(part: Part, what: string, find: () => Promise<Found>): Promise<void> {
  if (!wanted(part)) return
  console.error(`${what}…`)
  const { rows, words = [] } = await find()
  console.log([tableOf(rows), ...words.map((one) => `  ${one}`), ''].join('\n'))
  if (rows.some(isMissed)) isMet = false
}

if (stale()) await build()
await measure('board', 'A board of 5,000 cards', onCrowd)
const worlds = await openWorlds()
const browser = await openBrowser()
try {
  await measure('transcript', 'A transcript of 20,000 entries', () => transcript(browser, isQuick))
  await measure('bytes', 'What is transferred for the first paint', async () => ({
    rows: await bytes(browser, worlds.demo),
  }))
  await measure('screens', 'Every screen in both themes', () => searched(browser, worlds))
  await measure('lighthouse', 'Lighthouse', async () => ({
    rows: await lighthouse(worlds.demo, isQuick ? 1 : 3),
  }))
} finally {
  await browser.close()
  await worlds.stop()
}
process.exitCode = isMet ? 0 : 1
