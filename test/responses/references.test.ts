import { beforeAll, describe, expect, test } from 'bun:test'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { subjectFields } from '../../src/kernel/reference.ts'
import { databaseContents } from '../support/tables.ts'
import { type World, world } from '../support/world.ts'
import { foreignIdentifiers, type Identifiers, unknownIdentifiers } from './record-identifiers.ts'
import {
  isFilter,
  type Reference,
  referencesOf,
  surfaceCallFor,
  withReference,
} from './references.ts'
import { callerFor, inputFor, needsBrowser, operations } from './requests.ts'

/** Operations whose samples change what later tests need, so they get a world of their own. */
const OWN_WORLD = /^(agents\.enable|custom_fields\.(update|delete)|drafts\.publish)$/

let foreign: Identifiers
let shared: World
beforeAll(async () => {
  shared = await world({ mirrored: true })
  foreign = await foreignIdentifiers(shared)
})

type Fields = Record<string, unknown>

/** The response to an input in which that field names a record that the caller cannot see. */
async function responseWith(
  w: World,
  op: AnyOperation,
  sample: Fields,
  reference: Reference,
  identifiers: Identifiers,
) {
  const identifier = identifiers[reference.kind]
  const input = withReference(op, sample, reference.path, identifier)
  const caller = reference.path === 'reply_to_invocation_id' ? w.bot : callerFor(w, op)
  const { status, fault, data, warnings } = await surfaceCallFor(op, input)(w, caller, op, input)
  const text = JSON.stringify([fault, data, warnings])
  const { code, field = '' } = (fault?.details ?? {}) as { code?: string; field?: string }
  const topField = field.split('.')[0]
  return { status, error: fault?.error, code, topField, text }
}

const identifierIn = (identifiers: Identifiers, { kind }: Reference) => String(identifiers[kind])
const topFieldOf = (path: string) => path.split(/[.[]/)[0]!

/** The faults in the responses to an unknown record and to a foreign one. */
async function problemsWith(w: World, op: AnyOperation, sample: Fields, reference: Reference) {
  const unknownResponse = await responseWith(w, op, sample, reference, unknownIdentifiers)
  const foreignResponse = await responseWith(w, op, sample, reference, foreign)
  const problems: string[] = []
  const report = (problem: string) =>
    problems.push(`${reference.path} (${reference.kind}): ${problem}`)
  // Each response quotes the identifier that was sent, which reveals nothing about the record.
  const expected = unknownResponse.text.replaceAll(
    identifierIn(unknownIdentifiers, reference),
    identifierIn(foreign, reference),
  )
  if (foreignResponse.text !== expected || unknownResponse.status !== foreignResponse.status)
    report(`${unknownResponse.text.slice(0, 120)} is not ${foreignResponse.text.slice(0, 120)}`)
  if (isFilter(op, reference) && unknownResponse.status === 200) return problems
  if (unknownResponse.code !== 'not_found')
    report(`code ${unknownResponse.code}, ${unknownResponse.text.slice(0, 120)}`)
  if (unknownResponse.topField !== topFieldOf(reference.path))
    report(`names the field ${unknownResponse.topField}`)
  const subjects = subjectFields(op)
  const isSubject =
    subjects.has(topFieldOf(reference.path)) || subjects.has(reference.path.replaceAll('[]', ''))
  const errors = isSubject ? ['Not found', 'Validation error'] : ['Validation error']
  if (!errors.includes(unknownResponse.error ?? ''))
    report(`${unknownResponse.status} ${unknownResponse.error}`)
  return problems
}

for (const op of operations.filter((one) => !needsBrowser(one))) {
  const { references } = referencesOf(op)
  if (!references.length) continue
  test(`${op.name} refuses unknown and foreign records alike and writes nothing`, async () => {
    const w = OWN_WORLD.test(op.name) || op.uncached ? await world({ mirrored: true }) : shared
    const sample = await inputFor(w, op)
    const before = await databaseContents(w)
    const problems: string[] = []
    for (const reference of references)
      problems.push(...(await problemsWith(w, op, sample, reference)))
    expect(problems).toEqual([])
    expect((await databaseContents(w)) === before, 'nothing is written').toBe(true)
  })
}

describe('the fields that refer to records', () => {
  test('are all classified or listed as no references', () => {
    expect(operations.flatMap((op) => referencesOf(op).unclassified)).toEqual([])
  })
  test('are found in lists and in records within the input', () => {
    const pathsOf = (name: string) =>
      referencesOf(operations.find((op) => op.name === name)!).references.map(({ path }) => path)
    expect(pathsOf('comments.add')).toEqual(
      expect.arrayContaining(['task_id', 'mentions[].user_id', 'reply_to_invocation_id']),
    )
    expect(pathsOf('tasks.create_many')).toContain('tasks[].section_id')
  })
})
