import { afterAll, describe, expect, test } from 'bun:test'
import { catalog } from '../../src/catalog.ts'
import { detect } from '../../src/content/detect.ts'
import type { Format } from '../../src/content/index.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import type { Outcome } from '../ask.ts'
import { corpus, type Sample } from '../content/corpus/index.ts'
import { everyNth, isFull, scaled } from '../extent.ts'
import { samples } from '../samples.ts'
import { sweep } from '../terminal.ts'
import { type Actor, type World, world } from '../world.ts'
import {
  type Fields,
  type Found,
  filled,
  isRead,
  isWhole,
  type Send,
  surfacesOf,
  type TextField,
  textFields,
  textsIn,
} from './fields.ts'

afterAll(sweep)

/** `npm test` sends one of so many texts of the corpus to each field, and varies them by field. */
const ONE_OF = 90
/** A hundred texts of a field take a minute on a busy machine. */
const LONGEST = scaled(60_000, 600_000)
/** So many texts share a world, so that lists have all of them on one page. */
const MOST_IN_WORLD = 40

/** Ways to read a field back: an operation over a surface, or the response to the write itself. */
type Reader = (written: Written, format?: Format) => Promise<Found[]>
interface Written {
  w: World
  who: Actor
  input: Fields
  data: unknown
}

const BY_AGENT = new Set(['comments.update', 'runs.update', 'runs.append'])
/** Only native agents have instructions. */
const native = async ({ ada, team_id }: World) =>
  ada['agents.create']({ team_id, name: nextName(), kind: 'native' })
/** Changes of a sample that make its text the whole text of the record. */
const CHANGED: Record<string, (w: World) => Fields | Promise<Fields>> = {
  'pages.update': () => ({ mode: 'replace' }),
  'agents.create': () => ({ kind: 'native' }),
  'agents.update': async (w) => ({ agent_id: (await native(w)).agent_id }),
}
/** The noun whose operations return a text, where it is another one than that of the write. */
const READ_AS: Record<string, string> = { 'projects.create.tasks[].description': 'tasks' }
const SHORT: Record<string, number> = { time: 500 }

const nounOf = ({ name }: Pick<AnyOperation, 'name'>) => name.split('.')[0]!
const mostOf = ({ op, most }: TextField) => SHORT[nounOf(op)] ?? most

let count = 0
const nextName = () => `Name ${++count}`

/** A good input of the operation, with a name that nothing has yet. */
async function inputFor(w: World, { op, path }: TextField, text: string, given?: Format) {
  const sample = { ...(await samples[op.name]!(w)), ...(await CHANGED[op.name]?.(w)) } as Fields
  const named = typeof sample.name === 'string' ? { name: nextName() } : {}
  return filled({ ...sample, ...named }, path, text, given)
}

async function write(w: World, field: TextField, send: Send, text: string, given?: Format) {
  w.clock.pass(1000)
  const who = BY_AGENT.has(field.op.name) ? w.bot : w.ada
  const input = await inputFor(w, field, text, given)
  const { data, fault, warnings } = await send(w, who, field.op, input)
  expect([field.name, text.slice(0, 200), fault]).toEqual([
    field.name,
    text.slice(0, 200),
    undefined,
  ])
  expect(JSON.stringify(warnings ?? '')).not.toContain('content_changed')
  return { w, who, input, data }
}

/** The ids of the written record, from the input and the receipt. */
function knownFrom({ input, data }: Written): Fields {
  const [receipt] = [data].flat() as (Fields & { tasks?: string[] })[]
  const first = receipt?.tasks?.[0]
  return { ...input, ...receipt, ...(first && { ticket_number: first }) }
}

/** The input that reads that record; undefined if a required id is not known. */
function readInput(op: AnyOperation, known: Fields): Fields | undefined {
  const { properties, required = [] } = op.input as { properties: Fields; required?: string[] }
  const own = `${nounOf(op).replace(/s$/, '')}_id`
  const names = [own, 'task_id', 'ticket_number', 'project_id']
  const id = names.find((name) => name in properties && known[name] !== undefined)
  const wanted = [...new Set([...required, ...(id ? [id] : [])])]
  if (wanted.some((name) => known[name] === undefined)) return undefined
  const page = 'sort_order' in properties ? { limit: 50, sort_order: 'desc' } : {}
  return { ...page, ...Object.fromEntries(wanted.map((name) => [name, known[name]])) }
}

function readersOf(field: TextField): [string, Reader][] {
  const noun = READ_AS[field.name] ?? nounOf(field.op)
  const reads = (catalog as readonly AnyOperation[]).filter(
    (op) => isRead(op) && nounOf(op) === noun && !op.name.endsWith('.diff'),
  )
  const readers = reads.flatMap((op) =>
    surfacesOf(op).map(([surface, send]): [string, Reader] => [
      `${op.name} over ${surface}`,
      async (written, format) => {
        const takes = 'format' in (op.input.properties as Fields)
        const input = readInput(op, knownFrom(written))
        if (!input) return []
        const { w, who } = written
        const asked = { ...input, ...(takes && format && { format }) }
        const outcome: Outcome = await send(w, who, op, asked)
        return textsIn(outcome.data)
      },
    ]),
  )
  return [['its own response', async ({ data }) => textsIn(data)], ...readers]
}

/** The intended format of a text; undefined if the texts of the field have no format. */
function meantOf({ op, isFormatted }: TextField, text: string, given?: Format) {
  if (!isFormatted) return undefined
  const isMarkdown = nounOf(op) === 'pages' || op.name === 'drafts.preview'
  return given ?? (isMarkdown ? 'markdown' : detect(text))
}

/** A text that is longer than the excerpts in lists. */
const probeFor = (field: TextField): Sample => {
  const text = 'probe '
    .repeat(400)
    .slice(0, Math.min(mostOf(field), 2399))
    .trim()
  return { name: 'probe', text }
}

const formatsOf = (field: TextField, name: string): (Format | undefined)[] =>
  field.isFormatted && name !== 'its own response' ? [undefined, 'html', 'markdown'] : [undefined]

/** The readers that return a probe as it was sent. They must then return every text. */
async function readersFor(w: World, field: TextField, send: Send) {
  const probe = probeFor(field)
  const written = await write(w, field, send, probe.text)
  const meant = meantOf(field, probe.text)
  const readers = readersOf(field)
  const able: typeof readers = []
  for (const [name, read] of readers)
    if ((await read(written)).some((found) => isWhole(probe, meant, found))) able.push([name, read])
  expect([field.name, able.length > 0]).toEqual([field.name, true])
  return able
}

/** In full, every text of the corpus goes into every field, over one surface after the other. */
function textsFor(field: TextField, surface: number): Sample[] {
  const own = textFields.indexOf(field)
  const oneOf = isFull ? surfacesOf(field.op).length : ONE_OF
  return corpus
    .filter(({ text }) => text.length <= mostOf(field))
    .filter((_, at) => (at + own * 7) % oneOf === (isFull ? surface : 0))
}

const chunks = <T>(all: readonly T[], most: number): T[][] =>
  all.length > most ? [all.slice(0, most), ...chunks(all.slice(most), most)] : [[...all]]

const shown = (sample: Sample, found: readonly Found[]) =>
  JSON.stringify([sample, found.filter(({ text }) => text.length > 3)]).slice(0, 3000)

const GIVEN = [undefined, 'html', 'markdown'] as const
/** In full, the formats that texts are sent in take turns. */
function givenFor({ takesFormat }: TextField, turn: number): readonly (Format | undefined)[] {
  if (!takesFormat) return [undefined]
  return isFull ? [GIVEN[turn % GIVEN.length]] : GIVEN
}

for (const field of everyNth(textFields, { sqlite: 1, postgres: 6 }))
  describe(`${field.name} loses no visible character`, () => {
    for (const [at, [surface, send]] of surfacesOf(field.op).entries())
      test(
        `sent over ${surface}`,
        async () => {
          let turn = 0
          for (const chunk of chunks(textsFor(field, at), MOST_IN_WORLD)) {
            const w = await world()
            const readers = await readersFor(w, field, send)
            for (const sample of chunk)
              for (const given of givenFor(field, turn)) {
                const written = await write(w, field, send, sample.text, given)
                const meant = meantOf(field, sample.text, given)
                const [name, read] = readers[turn++ % readers.length]!
                for (const format of formatsOf(field, name)) {
                  const found = await read(written, format)
                  if (found.some((one) => isWhole(sample, meant, one))) continue
                  throw new Error(
                    `${name}, sent as ${given}, read as ${format}: ${shown(sample, found)}`,
                  )
                }
              }
          }
        },
        LONGEST,
      )
  })

const BAD: [string, string][] = [
  ['a null character', 'one \0 two'],
  ['a lone surrogate', 'one \ud83d two'],
]

test.each(BAD)('%s is refused with the name of the field', async (_, text) => {
  const w = await world()
  for (const field of textFields)
    for (const [surface, send] of surfacesOf(field.op).filter(([name]) => name !== 'CLI')) {
      const { fault } = await send(w, w.ada, field.op, await inputFor(w, field, text))
      const named = field.path.join('.').replaceAll('[]', '.0')
      const told = String(fault?.details.field).replace(/^input\./, '')
      expect([field.name, surface, told]).toEqual([field.name, surface, named])
      expect(fault?.message).toMatch(/character/)
    }
})

test('a text above the limit of its field is refused with the name and the limit of the field', async () => {
  const w = await world()
  for (const field of textFields.filter(({ op }) => nounOf(op) !== 'time')) {
    const text = 'x'.repeat(field.most + 1)
    const [[, send]] = surfacesOf(field.op) as [[string, Send]]
    const { fault } = await send(w, w.ada, field.op, await inputFor(w, field, text))
    const named = field.path.join('.').replaceAll('[]', '.0')
    expect([field.name, fault?.details]).toMatchObject([
      field.name,
      { field: named, code: 'too_long' },
    ])
    expect(fault?.message).toContain(String(field.most))
  }
})
