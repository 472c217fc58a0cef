import { expect, test } from 'bun:test'
import { Fault } from '../../src/kernel/fault.ts'
import { Random } from '../crash/random.ts'
import { contradictions, type Desk, missing, type State, Story, scribble } from './scribes.ts'

const BEGUN = 'Begun'

interface Faulty {
  /** Overwrites changes that others made after its read. */
  forgets?: true
  /** Accepts a write with an outdated version. */
  yields?: true
  /** Records a wrong author. */
  signs?: true
}

/** An in-memory page that responds asynchronously, with the given faults. */
function page({ forgets, yields, signs }: Faulty = {}) {
  const kept = [{ version: 1, author: '', content: BEGUN }]
  const newest = () => kept.at(-1)!
  const desk = (author: string): Desk => ({
    async write({ mode, content, if_version }) {
      await Bun.sleep(0)
      const { version, content: current } = newest()
      if (if_version !== undefined && if_version !== version && !yields)
        throw new Fault('conflict', 'Too late', { current, version })
      if (forgets) await Bun.sleep(0)
      const whole = { replace: [content], append: [current, content], prepend: [content, current] }
      const by = signs ? 'the house' : author
      const next = newest().version + 1
      kept.push({ version: next, author: by, content: whole[mode].join('\n\n') })
      return next
    },
    async read(version): Promise<State> {
      return kept.find((one) => one.version === version) ?? newest()
    },
  })
  return { kept, desk }
}

async function told(faulty?: Faulty) {
  const { kept, desk } = page(faulty)
  const story = new Story()
  const manners = ['replace', 'append', 'prepend'] as const
  const work = Array.from({ length: 8 }, (_, nth) =>
    scribble(`Writer ${nth}`, desk(`Writer ${nth}`), story, new Random(nth), {
      ...{ pieces: 5, manners },
    }),
  )
  await Promise.all(work)
  const wrong = [...contradictions(story, kept, BEGUN), ...missing(story, kept.at(-1)!.content)]
  return { story, wrong: wrong.join('\n') }
}

test('the check accepts a correct page after 40 writes with conflicts', async () => {
  const { story, wrong } = await told()
  expect(wrong).toBe('')
  expect(story.deeds).toHaveLength(40)
  expect(story.conflicts).toBeGreaterThan(0)
})

test('the check finds lost text, a second write of one version and a wrong author', async () => {
  expect((await told({ forgets: true })).wrong).toContain('is not what came of')
  const second = (await told({ yields: true })).wrong
  expect(second).toMatch(/was for version \d+ and became/)
  expect(second).toMatch(/^Writer \d wrote \d$/m)
  expect((await told({ signs: true })).wrong).toContain('is of the house, not of Writer')
})
