import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { catalog } from '../../../../src/catalog.ts'
import { Fault } from '../../../../src/kernel/fault.ts'
import type { AnyOperation } from '../../../../src/kernel/operation.ts'
import { isAudited } from '../../../../src/store/audit.ts'
import { audit } from '../../../../src/store/tables.ts'
import { resultOrFault } from '../../../support/faults.ts'
import { claimTask } from '../../../support/fixtures.ts'
import { sampleInput, samples } from '../../../support/samples.ts'
import { everyNth } from '../../../support/scale.ts'
import { type World, world } from '../../../support/world.ts'

const page = readFileSync(join(import.meta.dir, '../../../../docs/team.md'), 'utf8')

/** The entry types of the table in the docs, each with the operations that write it. */
const rows = [...page.matchAll(/^\| `([a-z_]+\.[a-z_]+)` \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, type = '', , by = '']) => ({
    type,
    operations: [...by.matchAll(/`([a-z_]+\.[a-z_]+)`(?! as)/g)].map(([, name = '']) => name),
  }),
)

/** The entry types that each operation writes according to the table. */
const typesByOperation = new Map<string, string[]>()
for (const { type, operations } of rows)
  for (const name of operations)
    typesByOperation.set(name, [...(typesByOperation.get(name) ?? []), type])

/** Returns the entry types that the operation writes, run as the first test user who may. */
async function entriesOf(op: AnyOperation): Promise<string[] | undefined> {
  for (const userName of ['ada', 'bot', 'cleo'] as const) {
    const w = await world()
    const actor =
      userName === 'ada' ? await w.authenticateAs(w.ada.caller.actor_id, 'session') : w[userName]
    const input = await sampleOf(w, op)
    if (op.guard && userName === 'bot')
      for (const task of [w.tasks.logo, w.tasks.copy]) await claimTask(w.bot, task)
    await w.store.write((tx) => tx.delete(audit))
    const result = await resultOrFault(w.dispatch(actor.caller, op, input))
    if (!(result instanceof Fault)) return writtenTypes(w)
  }
  return undefined
}

const sampleOf = async (w: World, { name }: AnyOperation) => ({
  ...(await sampleInput(name, w)),
  ...(name === 'projects.update' && { access: 'invited' }),
})

/** An operation writes at least one of its entry types, but not always all of them. */
const isExpected = (written: string[], documented: string[]) =>
  written.length > 0 === documented.length > 0 && written.every((type) => documented.includes(type))

async function writtenTypes(w: World): Promise<string[]> {
  const entries = await w.store.read((tx) => tx.select().from(audit))
  return [...new Set(entries.map(({ type }) => type))].toSorted()
}

for (const op of everyNth(catalog as readonly AnyOperation[], { sqlite: 1, postgres: 9 }))
  if (!samples[op.name]!.auditTestedIn)
    test(`${op.name} writes the audit entries that the docs list for it, and no others`, async () => {
      const written = await entriesOf(op)
      const documented = (typesByOperation.get(op.name) ?? []).toSorted()
      expect({
        found: written,
        wanted: documented,
        fits: written && isExpected(written, documented),
      }).toMatchObject({ fits: true })
    })

test('the docs table lists existing operations and unique, audited entry types', () => {
  const names = new Set<string>(catalog.map(({ name }) => name))
  expect([...typesByOperation.keys()].filter((name) => !names.has(name))).toEqual([])
  const types = rows.map(({ type }) => type)
  expect(types.length).toBeGreaterThan(30)
  expect(types).toEqual([...new Set(types)])
  const location = { team_id: 1, project_id: 1 }
  expect(types.filter((type) => !isAudited({ type, place: location }))).toEqual([])
})

/** Scopes that allow changing access or the instructions of agents. */
const GUARDED = ['keys:manage', 'agents:manage', 'teams:manage', 'projects:instruct']

test('every operation with an access-changing scope is in the docs table or has a reason', () => {
  const missing = (catalog as readonly AnyOperation[]).filter(
    ({ name, needs }) =>
      GUARDED.includes(needs) && !typesByOperation.has(name) && !samples[name]!.notAudited,
  )
  expect(missing.map(({ name }) => name)).toEqual([])
})
