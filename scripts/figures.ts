/**
 * Measures the performance targets of the web app in a real browser on the built executable.
 *
 *   npm run figures -- [--quick] [board] [transcript] [bytes] [screens] [lighthouse]
 */
import { openBrowser } from './browser.ts'
import { build, isStale } from './build.ts'
import { measureLiveUpdate } from './figures/agent.ts'
import {
  type BoardPage,
  calibrate,
  openBoardPage,
  timeDrag,
  timeKeys,
  timeLayout,
  timeOpening,
  timeScroll,
  timeTyping,
} from './figures/board.ts'
import { bytes } from './figures/bytes.ts'
import { createLargeBoard } from './figures/large-board.ts'
import { lighthouse } from './figures/lighthouse.ts'
import { measureMemory } from './figures/memory.ts'
import { isMissed, type Row, tableOf } from './figures/row.ts'
import { checkScreens } from './figures/screens.ts'
import { timeTable } from './figures/table.ts'
import { transcript } from './figures/transcript.ts'
import { startInstances } from './screens/instances.ts'

interface Measurement {
  rows: Row[]
  /** Each problem with the place where it was found. */
  problems?: string[]
}
const SUITES = ['board', 'transcript', 'bytes', 'screens', 'lighthouse'] as const
type Suite = (typeof SUITES)[number]

/** A quick run has few samples and a small board. It only shows that the script works. */
const isQuick = process.argv.includes('--quick')
const requested = process.argv.slice(2).filter((name) => name !== '--quick')
for (const name of requested)
  if (!SUITES.includes(name as Suite)) {
    console.error(`There is no part "${name}"; there are ${SUITES.join(', ')}`)
    process.exit(2)
  }
const isRequested = (part: Suite) =>
  requested.length ? requested.includes(part) : !isQuick || part === 'board' || part === 'bytes'
const sampleCount = (count: number) => (isQuick ? Math.ceil(count / 10) : count)

async function measureBoard(): Promise<Measurement> {
  const board = await createLargeBoard(isQuick ? 0.1 : 1)
  const browser = await openBrowser()
  try {
    const boardPage: BoardPage = await openBoardPage(browser, board)
    const rows = [
      ...(await calibrate(boardPage, board, sampleCount(100))),
      await timeOpening(boardPage, board, sampleCount(10)),
      ...(await timeKeys(boardPage, board, sampleCount(260))),
      ...(await timeScroll(boardPage, board, sampleCount(300))),
      ...(await timeDrag(boardPage, board, sampleCount(20))),
      ...(await timeTyping(boardPage, board, sampleCount(20))),
      ...(await timeLayout(boardPage, board, sampleCount(60))),
      ...(await timeTable(boardPage, board, sampleCount(20))),
      await measureLiveUpdate(boardPage, board, sampleCount(30)),
      ...(await measureMemory(boardPage, board, isQuick ? 24 : 2000)),
    ]
    const problems = boardPage.problems.map((one) => `a board of many cards: ${one}`)
    const figure = 'a board of many cards: errors, warnings, foreign requests'
    return { rows: [...rows, { figure, value: problems.length, unit: '', max: 0 }], problems }
  } finally {
    await browser.close()
    await board.stop()
  }
}

let allTargetsMet = true

/** Runs a suite if it is requested, and prints its results. */
async function measure(part: Suite, title: string, run: () => Promise<Measurement>): Promise<void> {
  if (!isRequested(part)) return
  console.error(`${title}…`)
  const { rows, problems = [] } = await run()
  console.log([tableOf(rows), ...problems.map((one) => `  ${one}`), ''].join('\n'))
  if (rows.some(isMissed)) allTargetsMet = false
}

if (isStale()) await build()
await measure('board', 'A board of 5,000 cards', measureBoard)
const instances = await startInstances()
const browser = await openBrowser()
try {
  await measure('transcript', 'A transcript of 20,000 entries', () => transcript(browser, isQuick))
  await measure('bytes', 'Bytes until the first paint', async () => ({
    rows: await bytes(browser, instances.demo),
  }))
  await measure('screens', 'Every screen in both themes', () => checkScreens(browser, instances))
  await measure('lighthouse', 'Lighthouse', async () => ({
    rows: await lighthouse(instances.demo, isQuick ? 1 : 3),
  }))
} finally {
  await browser.close()
  await instances.stop()
}
process.exitCode = allTargetsMet ? 0 : 1
