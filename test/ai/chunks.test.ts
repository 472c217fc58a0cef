import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { openModel } from '../../src/ai/index.ts'
import { type Answer, startScriptedModel } from './scripted-model.ts'
import { ask, PROTOCOLS } from './turns.ts'

let splits: number[] = []
const service = startScriptedModel({ chunks: (bytes) => splitBytes(bytes) })
afterAll(() => service.stop())

function splitBytes(bytes: Uint8Array): Uint8Array[] {
  const positions = [...new Set(splits.map((split) => split % bytes.length))].sort((a, b) => a - b)
  const ends = [...positions, bytes.length]
  return ends.map((end, at) => bytes.slice(ends[at - 1] ?? 0, end)).filter(({ length }) => length)
}

const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
const call = fc.record({
  tool: fc.constantFrom('tasks_list', 'tasks_create'),
  input: fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
})
const answer: fc.Arbitrary<Answer> = fc.record({
  text: word.map((text) => `So ${text}`),
  reasoning: word,
  calls: fc.array(call, { minLength: 1, maxLength: 3 }),
})

test.each(PROTOCOLS)(
  'a %s stream split at any bytes yields the same text and calls',
  async (provider) => {
    const ai = openModel(service.endpoint(provider))
    const positions = fc.array(fc.nat({ max: 20_000 }), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(answer, positions, async (scriptedAnswer, splitPositions) => {
        splits = splitPositions
        service.play([scriptedAnswer, { text: 'Done' }])
        const result = await ask(ai)
        expect(result.text).toBe(`${scriptedAnswer.text}Done`)
        const madeCalls = result.calls.map(({ tool, input }) => ({ tool, input }))
        expect(JSON.stringify(madeCalls)).toBe(JSON.stringify(scriptedAnswer.calls))
        expect(result.reason).toBe('said')
      }),
      { numRuns: 60 },
    )
  },
)
