import { beforeAll, describe, expect, test } from 'bun:test'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { subjectFields } from '../../src/kernel/reference.ts'
import { everything } from '../tables.ts'
import { type World, world } from '../world.ts'
import { BY_BROWSER, callerFor, inputFor, operations } from './asking.ts'
import { isFilter, type Reference, referencesOf, wayFor, withReference } from './references.ts'
import { foreignNames, type Names, unknownNames } from './strangers.ts'

/** Operations whose samples change what later tests need, so they get a world of their own. */
const OWN_WORLD = /^(agents\.enable|custom_fields\.(update|delete)|drafts\.publish)$/

let foreign: Names
let shared: World
beforeAll(async () => {
  shared = await world({ mirrored: true })
  foreign = await foreignNames(shared)
})

type Fields = Record<string, unknown>

/** The response to an input in which that field names a record that the caller cannot see. */
async function asked(w: World, op: AnyOperation, sample: Fields, one: Reference, names: Names) {
  const name = names[one.kind]
  const input = withReference(op, sample, one.path, name)
  const caller = one.path === 'reply_to_invocation_id' ? w.bot : callerFor(w, op)
  const { status, fault, data, warnings } = await wayFor(op, input)(w, caller, op, input)
  const told = JSON.stringify([fault, data, warnings])
  const { code, field = '' } = (fault?.details ?? {}) as { code?: string; field?: string }
  const top = field.split('.')[0]
  return { status, error: fault?.error, code, top, told }
}

const nameIn = (names: Names, { kind }: Reference) => String(names[kind])
const topOf = (path: string) => path.split(/[.[]/)[0]!

/** The faults in the responses to an unknown record and to a foreign one. */
async function judged(w: World, op: AnyOperation, sample: Fields, one: Reference) {
  const unknown = await asked(w, op, sample, one, unknownNames)
  const others = await asked(w, op, sample, one, foreign)
  const wrong: string[] = []
  const tell = (what: string) => wrong.push(`${one.path} (${one.kind}): ${what}`)
  // Each response quotes the identifier that was sent, which reveals nothing about the record.
  const expected = unknown.told.replaceAll(nameIn(unknownNames, one), nameIn(foreign, one))
  if (others.told !== expected || unknown.status !== others.status)
    tell(`${unknown.told.slice(0, 120)} is not ${others.told.slice(0, 120)}`)
  if (isFilter(op, one) && unknown.status === 200) return wrong
  if (unknown.code !== 'not_found') tell(`code ${unknown.code}, ${unknown.told.slice(0, 120)}`)
  if (unknown.top !== topOf(one.path)) tell(`names the field ${unknown.top}`)
  const isSubject = subjectFields(op).has(topOf(one.path))
  const errors = isSubject ? ['Not found', 'Validation error'] : ['Validation error']
  if (!errors.includes(unknown.error ?? '')) tell(`${unknown.status} ${unknown.error}`)
  return wrong
}

for (const op of operations.filter(({ name }) => !BY_BROWSER.test(name))) {
  const { references } = referencesOf(op)
  if (!references.length) continue
  test(`${op.name} refuses unknown and foreign records alike and writes nothing`, async () => {
    const w = OWN_WORLD.test(op.name) || op.uncached ? await world({ mirrored: true }) : shared
    const sample = await inputFor(w, op)
    const before = await everything(w)
    const wrong: string[] = []
    for (const one of references) wrong.push(...(await judged(w, op, sample, one)))
    expect(wrong).toEqual([])
    expect((await everything(w)) === before, 'nothing is written').toBe(true)
  })
}

describe('the fields that refer to records', () => {
  test('are all classified or listed as no references', () => {
    expect(operations.flatMap((op) => referencesOf(op).unclassified)).toEqual([])
  })
  test('are found in lists and in records within the input', () => {
    const found = (name: string) =>
      referencesOf(operations.find((op) => op.name === name)!).references.map(({ path }) => path)
    expect(found('comments.add')).toEqual(
      expect.arrayContaining(['task_id', 'mentions[].user_id', 'reply_to_invocation_id']),
    )
    expect(found('tasks.create_many')).toContain('tasks[].section_id')
  })
})
