import { expect, test } from 'bun:test'
import { Fault } from '../../src/kernel/fault.ts'
import { Random } from '../crash/random.ts'
import {
  contradictions,
  missingPieces,
  type PageClient,
  type State,
  WriteHistory,
  writePieces,
} from './concurrent-writers.ts'

const INITIAL_TEXT = 'Begun'

interface Faults {
  /** Overwrites changes that others made after its read. */
  overwrites?: true
  /** Accepts a write with an outdated version. */
  acceptsOutdated?: true
  /** Records a wrong author. */
  recordsWrongAuthor?: true
}

/** An in-memory page that responds asynchronously, with the given faults. */
function page({ overwrites, acceptsOutdated, recordsWrongAuthor }: Faults = {}) {
  const versions = [{ version: 1, author: '', content: INITIAL_TEXT }]
  const newest = () => versions.at(-1)!
  const clientFor = (author: string): PageClient => ({
    async write({ mode, content, if_version }) {
      await Bun.sleep(0)
      const { version, content: current } = newest()
      if (if_version !== undefined && if_version !== version && !acceptsOutdated)
        throw new Fault('conflict', 'Too late', { current, version })
      if (overwrites) await Bun.sleep(0)
      const parts = { replace: [content], append: [current, content], prepend: [content, current] }
      const recordedAuthor = recordsWrongAuthor ? 'Somebody else' : author
      const next = newest().version + 1
      versions.push({ version: next, author: recordedAuthor, content: parts[mode].join('\n\n') })
      return next
    },
    async read(version): Promise<State> {
      return versions.find((one) => one.version === version) ?? newest()
    },
  })
  return { versions, clientFor }
}

async function checkPage(faults?: Faults) {
  const { versions, clientFor } = page(faults)
  const history = new WriteHistory()
  const strategies = ['replace', 'append', 'prepend'] as const
  const writers = Array.from({ length: 8 }, (_, index) =>
    writePieces(`Writer ${index}`, clientFor(`Writer ${index}`), history, new Random(index), {
      ...{ pieces: 5, strategies },
    }),
  )
  await Promise.all(writers)
  const problems = [
    ...contradictions(history, versions, INITIAL_TEXT),
    ...missingPieces(history, versions.at(-1)!.content),
  ]
  return { history, problems: problems.join('\n') }
}

test('the check accepts a correct page after 40 writes with conflicts', async () => {
  const { history, problems } = await checkPage()
  expect(problems).toBe('')
  expect(history.writes).toHaveLength(40)
  expect(history.conflicts).toBeGreaterThan(0)
})

test('the check finds lost text, a second write of one version and a wrong author', async () => {
  expect((await checkPage({ overwrites: true })).problems).toContain(
    'does not contain the result of',
  )
  const second = (await checkPage({ acceptsOutdated: true })).problems
  expect(second).toMatch(/was for version \d+ and became/)
  expect(second).toMatch(/^Writer \d wrote \d$/m)
  expect((await checkPage({ recordsWrongAuthor: true })).problems).toContain(
    'is by Somebody else, not by Writer',
  )
})
