import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { openModel } from '../../src/ai/index.ts'
import { type Answer, models } from './models.ts'
import { ask, PROTOCOLS } from './turns.ts'

let cuts: number[] = []
const service = models({ chunks: (bytes) => cutAt(bytes) })
afterAll(() => service.stop())

function cutAt(bytes: Uint8Array): Uint8Array[] {
  const places = [...new Set(cuts.map((cut) => cut % bytes.length))].sort((a, b) => a - b)
  const ends = [...places, bytes.length]
  return ends.map((end, at) => bytes.slice(ends[at - 1] ?? 0, end)).filter(({ length }) => length)
}

const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
const call = fc.record({
  tool: fc.constantFrom('tasks_list', 'tasks_create'),
  input: fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
})
const answer: fc.Arbitrary<Answer> = fc.record({
  text: word.map((text) => `So ${text}`),
  thoughts: word,
  calls: fc.array(call, { minLength: 1, maxLength: 3 }),
})

test.each(PROTOCOLS)(
  'a %s stream split at any bytes yields the same text and calls',
  async (provider) => {
    const ai = openModel(service.endpoint(provider))
    const places = fc.array(fc.nat({ max: 20_000 }), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(answer, places, async (one, where) => {
        cuts = where
        service.play([one, { text: 'Done' }])
        const told = await ask(ai)
        expect(told.text).toBe(`${one.text}Done`)
        const made = told.made.map(({ tool, input }) => ({ tool, input }))
        expect(JSON.stringify(made)).toBe(JSON.stringify(one.calls))
        expect(told.reason).toBe('said')
      }),
      { numRuns: 60 },
    )
  },
)
