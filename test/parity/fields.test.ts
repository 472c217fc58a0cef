import { afterAll, describe, expect, test } from 'bun:test'
import { catalog } from '../../src/catalog.ts'
import { detect } from '../../src/content/detect.ts'
import type { Format } from '../../src/content/index.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { corpus, type Sample } from '../content/corpus/index.ts'
import { sampleCaller, sampleInput, samples } from '../support/samples.ts'
import { everyNth, isFull } from '../support/scale.ts'
import type { Outcome } from '../support/surface-calls.ts'
import { removeTemporaryFolders } from '../support/terminal.ts'
import { type Actor, type World, world } from '../support/world.ts'
import {
  type Fields,
  type FoundText,
  hasEveryCharacter,
  isRead,
  type Send,
  surfacesOf,
  type TextField,
  textFields,
  textsIn,
  withText,
} from './fields.ts'

afterAll(removeTemporaryFolders)

/** `npm test` sends one of this many texts of the corpus to each field, different ones by field. */
const SAMPLING_RATE = 90
/** Texts for each world. Lists must have all of them on one page. */
const TEXTS_PER_WORLD = 40

/** Reads a field by an operation on a surface, or from the response to the write itself. */
type Reader = (written: WriteResult, format?: Format) => Promise<FoundText[]>
interface WriteResult {
  w: World
  caller: Actor
  input: Fields
  data: unknown
}

/** The noun of the reading operations, if it differs from that of the write. */
const READ_NOUN: Record<string, string> = { 'projects.create.tasks[].description': 'tasks' }
const SHORTER_LIMITS: Record<string, number> = { time: 500 }

const nounOf = ({ name }: Pick<AnyOperation, 'name'>) => name.split('.')[0]!
const limitOf = ({ op, maxLength }: TextField) => SHORTER_LIMITS[nounOf(op)] ?? maxLength

let count = 0
const nextName = () => `Name ${++count}`

/** A valid input with the text, and with a new name if the operation takes one. */
async function inputFor(w: World, { op, path }: TextField, text: string, sentFormat?: Format) {
  const sample = {
    ...(await sampleInput(op.name, w)),
    ...(await samples[op.name]?.textInput?.(w)),
  } as Fields
  const nameField = typeof sample.name === 'string' ? { name: nextName() } : {}
  return withText({ ...sample, ...nameField }, path, text, sentFormat)
}

async function write(w: World, field: TextField, send: Send, text: string, sentFormat?: Format) {
  w.clock.advance(1000)
  const caller = sampleCaller(w, field.op.name)
  const input = await inputFor(w, field, text, sentFormat)
  const { data, fault, warnings } = await send(w, caller, field.op, input)
  expect([field.name, text.slice(0, 200), fault]).toEqual([
    field.name,
    text.slice(0, 200),
    undefined,
  ])
  expect(JSON.stringify(warnings ?? '')).not.toContain('content_changed')
  return { w, caller, input, data }
}

/** The ids of the written record, from the input and the receipt. */
function idsFrom({ input, data }: WriteResult): Fields {
  const [receipt] = [data].flat() as (Fields & { tasks?: string[] })[]
  const first = receipt?.tasks?.[0]
  return { ...input, ...receipt, ...(first && { ticket_number: first }) }
}

/** The input that reads that record; undefined if a required id is not known. */
function readInput(op: AnyOperation, ids: Fields): Fields | undefined {
  const { properties, required = [] } = op.input as { properties: Fields; required?: string[] }
  const ownId = `${nounOf(op).replace(/s$/, '')}_id`
  const names = [ownId, 'task_id', 'ticket_number', 'project_id']
  const id = names.find((name) => name in properties && ids[name] !== undefined)
  const fields = [...new Set([...required, ...(id ? [id] : [])])]
  if (fields.some((name) => ids[name] === undefined)) return undefined
  const page = 'sort_order' in properties ? { limit: 50, sort_order: 'desc' } : {}
  return { ...page, ...Object.fromEntries(fields.map((name) => [name, ids[name]])) }
}

function readersOf(field: TextField): [string, Reader][] {
  const noun = READ_NOUN[field.name] ?? nounOf(field.op)
  const reads = (catalog as readonly AnyOperation[]).filter(
    (op) => isRead(op) && nounOf(op) === noun && !op.name.endsWith('.diff'),
  )
  const readers = reads.flatMap((op) =>
    surfacesOf(op).map(([surface, send]): [string, Reader] => [
      `${op.name} over ${surface}`,
      async (written, format) => {
        const takesFormat = 'format' in (op.input.properties as Fields)
        const input = readInput(op, idsFrom(written))
        if (!input) return []
        const { w, caller } = written
        const request = { ...input, ...(takesFormat && format && { format }) }
        const outcome: Outcome = await send(w, caller, op, request)
        return textsIn(outcome.data)
      },
    ]),
  )
  return [['its own response', async ({ data }) => textsIn(data)], ...readers]
}

/** The intended format of a text; undefined if the texts of the field have no format. */
function intendedFormatOf({ op, isFormatted }: TextField, text: string, sentFormat?: Format) {
  if (!isFormatted) return undefined
  const isMarkdown = nounOf(op) === 'pages' || op.name === 'drafts.preview'
  return sentFormat ?? (isMarkdown ? 'markdown' : detect(text))
}

/** A text that is longer than the excerpts in lists. */
const probeFor = (field: TextField): Sample => {
  const text = 'probe '
    .repeat(400)
    .slice(0, Math.min(limitOf(field), 2399))
    .trim()
  return { name: 'probe', text }
}

const formatsOf = (field: TextField, name: string): (Format | undefined)[] =>
  field.isFormatted && name !== 'its own response' ? [undefined, 'html', 'markdown'] : [undefined]

/** The readers that return a probe as it was sent. They must then return every text. */
async function readersFor(w: World, field: TextField, send: Send) {
  const probe = probeFor(field)
  const written = await write(w, field, send, probe.text)
  const intendedFormat = intendedFormatOf(field, probe.text)
  const readers = readersOf(field)
  const usable: typeof readers = []
  for (const [name, read] of readers)
    if ((await read(written)).some((found) => hasEveryCharacter(probe, intendedFormat, found)))
      usable.push([name, read])
  expect([field.name, usable.length > 0]).toEqual([field.name, true])
  return usable
}

/** In full, every text of the corpus goes into every field, over one surface after the other. */
function textsFor(field: TextField, surface: number): Sample[] {
  const fieldIndex = textFields.indexOf(field)
  const rate = isFull ? surfacesOf(field.op).length : SAMPLING_RATE
  return corpus
    .filter(({ text }) => text.length <= limitOf(field))
    .filter((_, at) => (at + fieldIndex * 7) % rate === (isFull ? surface : 0))
}

const chunks = <T>(all: readonly T[], size: number): T[][] =>
  all.length > size ? [all.slice(0, size), ...chunks(all.slice(size), size)] : [[...all]]

const describeTexts = (sample: Sample, found: readonly FoundText[]) =>
  JSON.stringify([sample, found.filter(({ text }) => text.length > 3)]).slice(0, 3000)

const SENT_FORMATS = [undefined, 'html', 'markdown'] as const
/** In full, the formats that texts are sent in take turns. */
function sentFormatsFor(
  { takesFormat }: TextField,
  index: number,
): readonly (Format | undefined)[] {
  if (!takesFormat) return [undefined]
  return isFull ? [SENT_FORMATS[index % SENT_FORMATS.length]] : SENT_FORMATS
}

for (const field of everyNth(textFields, { sqlite: 1, postgres: 6 }))
  describe(`${field.name} loses no visible character`, () => {
    for (const [at, [surface, send]] of surfacesOf(field.op).entries())
      test(`sent over ${surface}`, async () => {
        let index = 0
        for (const chunk of chunks(textsFor(field, at), TEXTS_PER_WORLD)) {
          const w = await world()
          const readers = await readersFor(w, field, send)
          for (const sample of chunk)
            for (const sentFormat of sentFormatsFor(field, index)) {
              const written = await write(w, field, send, sample.text, sentFormat)
              const intendedFormat = intendedFormatOf(field, sample.text, sentFormat)
              const [name, read] = readers[index++ % readers.length]!
              for (const format of formatsOf(field, name)) {
                const found = await read(written, format)
                if (found.some((one) => hasEveryCharacter(sample, intendedFormat, one))) continue
                throw new Error(
                  `${name}, sent as ${sentFormat}, read as ${format}: ${describeTexts(sample, found)}`,
                )
              }
            }
        }
      })
  })

const BAD_TEXTS: [string, string][] = [
  ['a null character', 'one \0 two'],
  ['a lone surrogate', 'one \ud83d two'],
]

test.each(BAD_TEXTS)('%s is refused with the name of the field', async (_, text) => {
  const w = await world()
  for (const field of textFields)
    for (const [surface, send] of surfacesOf(field.op).filter(([name]) => name !== 'CLI')) {
      const { fault } = await send(w, w.ada, field.op, await inputFor(w, field, text))
      const fieldPath = field.path.join('.').replaceAll('[]', '.0')
      const refusedField = String(fault?.details.field).replace(/^input\./, '')
      expect([field.name, surface, refusedField]).toEqual([field.name, surface, fieldPath])
      expect(fault?.message).toMatch(/character/)
    }
})

test('a text above the limit of its field is refused with the name and the limit of the field', async () => {
  const w = await world()
  for (const field of textFields.filter(({ op }) => nounOf(op) !== 'time')) {
    const text = 'x'.repeat(field.maxLength + 1)
    const [[, send]] = surfacesOf(field.op) as [[string, Send]]
    const { fault } = await send(w, w.ada, field.op, await inputFor(w, field, text))
    const fieldPath = field.path.join('.').replaceAll('[]', '.0')
    expect([field.name, fault?.details]).toMatchObject([
      field.name,
      { field: fieldPath, code: 'too_long' },
    ])
    expect(fault?.message).toContain(String(field.maxLength))
  }
})
