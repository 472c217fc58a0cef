import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { catalog } from '../../src/catalog.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import { isAudited } from '../../src/store/audit.ts'
import { audit } from '../../src/store/tables.ts'
import { everyNth } from '../extent.ts'
import { claimed } from '../furniture.ts'
import { samples } from '../samples.ts'
import { type World, world } from '../world.ts'

const page = readFileSync(join(import.meta.dir, '../../docs/team.md'), 'utf8')

/** The entry types of the table in the docs, each with the operations that write it. */
const rows = [...page.matchAll(/^\| `([a-z_]+\.[a-z_]+)` \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, type = '', , by = '']) => ({
    type,
    operations: [...by.matchAll(/`([a-z_]+\.[a-z_]+)`(?! as)/g)].map(([, name = '']) => name),
  }),
)

/** The entry types that each operation writes according to the table. */
const told = new Map<string, string[]>()
for (const { type, operations } of rows)
  for (const name of operations) told.set(name, [...(told.get(name) ?? []), type])

/** Operations that no test user can run with the sample input; other tests run them. */
const APART: Record<string, string> = {
  'password.change': 'browser-sessions.test.ts: it takes the present password',
  'skills.import': 'skills-import.test.ts: it takes a code host',
  'browser_sessions.end': 'browser-sessions.test.ts: it takes a second browser',
  'browser_sessions.end_others': 'browser-sessions.test.ts: it takes a second browser',
}

/** Returns the entry types that the operation writes, run as the first test user who may. */
async function entriesOf(op: AnyOperation): Promise<string[] | undefined> {
  for (const who of ['ada', 'bot', 'cleo'] as const) {
    const w = await world()
    const actor = who === 'ada' ? await w.as(w.ada.caller.actor_id, 'session') : w[who]
    const input = await sampleOf(w, op)
    if (op.guard && who === 'bot')
      for (const task of [w.tasks.logo, w.tasks.copy]) await claimed(w.bot, task)
    await w.store.write((tx) => tx.delete(audit))
    const done = await w.dispatch(actor.caller, op, input).catch(() => undefined)
    if (done) return kept(w)
  }
  return undefined
}

const sampleOf = async (w: World, { name }: AnyOperation) => ({
  ...(await samples[name]?.(w)),
  ...(name === 'projects.update' && { access: 'invited' }),
})

/** An operation writes at least one of its entry types, but not always all of them. */
const fits = (found: string[], wanted: string[]) =>
  found.length > 0 === wanted.length > 0 && found.every((type) => wanted.includes(type))

async function kept(w: World): Promise<string[]> {
  const entries = await w.store.read((tx) => tx.select().from(audit))
  return [...new Set(entries.map(({ type }) => type))].toSorted()
}

for (const op of everyNth(catalog as readonly AnyOperation[], { sqlite: 1, postgres: 9 }))
  if (!(op.name in APART))
    test(`${op.name} writes the audit entries that the docs list for it, and no others`, async () => {
      const found = await entriesOf(op)
      const wanted = (told.get(op.name) ?? []).toSorted()
      expect({ found, wanted, fits: found && fits(found, wanted) }).toMatchObject({ fits: true })
    })

test('the docs table lists existing operations and unique, audited entry types', () => {
  const names = new Set<string>(catalog.map(({ name }) => name))
  expect([...told.keys()].filter((name) => !names.has(name))).toEqual([])
  const types = rows.map(({ type }) => type)
  expect(types.length).toBeGreaterThan(30)
  expect(types).toEqual([...new Set(types)])
  const place = { team_id: 1, project_id: 1 }
  expect(types.filter((type) => !isAudited({ type, place }))).toEqual([])
})

/** Scopes that allow changing access or the instructions of agents. */
const GUARDED = ['keys:manage', 'agents:manage', 'teams:manage', 'projects:instruct']
const HARMLESS: Record<string, string> = {
  'teams.rename': 'a name gives nobody access',
  'audit.list': 'reads',
  'invitations.list': 'reads',
}

test('every operation with an access-changing scope is in the docs table or has a reason', () => {
  const missing = (catalog as readonly AnyOperation[]).filter(
    ({ name, needs }) => GUARDED.includes(needs) && !told.has(name) && !(name in HARMLESS),
  )
  expect(missing.map(({ name }) => name)).toEqual([])
})
