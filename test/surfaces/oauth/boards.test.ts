import { expect, test } from 'bun:test'
import { catalog } from '../../../src/catalog.ts'
import { callerOf, canSeeChange } from '../../../src/features/identity/callers/model/index.ts'
import { insertCredential } from '../../../src/features/identity/credentials/model/index.ts'
import type { Caller } from '../../../src/kernel/caller.ts'
import { Fault } from '../../../src/kernel/fault.ts'
import { isWrite } from '../../../src/kernel/operation.ts'
import { waitForFollowers } from '../../support/followers.ts'
import { samples } from '../../support/samples.ts'
import { type World, world } from '../../support/world.ts'

/** Ada, through an app that she allowed only another board. */
async function limitedCaller({ ada, team_id, store, clock }: World): Promise<Caller> {
  const { project_id } = await ada['projects.create']({
    team_id,
    title: 'Elsewhere',
    sections: [{ title: 'Inbox' }],
  })
  const secret = crypto.randomUUID()
  const draft = { kind: 'access' as const, actor_id: ada.caller.actor_id, name: 'Lantern', secret }
  const limits = { scopes: null, expires_at: null, project_ids: [project_id] }
  await store.write((tx) => insertCredential(tx, { ...draft, ...limits }, clock.now))
  return (await store.read((tx) => callerOf(tx, secret, ['access'], clock.now))).caller
}

/** Texts that only the other boards contain. */
const foreignTexts = ({ board, tasks }: World) => [
  board.title,
  'Draw the logo',
  ...Object.values(tasks).map(({ ticket_number }) => ticket_number),
]

for (const op of catalog.filter((one) => !isWrite(one)))
  test(`${op.name} shows nothing of other boards to an app that is limited to one`, async () => {
    const w = await world({ full: true })
    const input = await samples[op.name]!.input(w)
    await waitForFollowers(w)
    const caller = await limitedCaller(w)
    const answer = await w.dispatch(caller, op, input).catch((error) => {
      if (error instanceof Fault) return { data: null }
      throw error
    })
    const text = JSON.stringify(answer.data)
    expect(foreignTexts(w).filter((one) => text.includes(one))).toEqual([])
  })

test('an app that is limited to boards manages no teams, agents, credentials or new boards', async () => {
  const w = await world()
  const caller = await limitedCaller(w)
  for (const scope of ['teams:manage', 'agents:manage', 'keys:manage', 'keys:read'] as const)
    expect(caller.scopes.has(scope)).toBe(false)
  const create = catalog.find(({ name }) => name === 'projects.create')!
  const input = { team_id: w.team_id, title: 'Third', sections: [{ title: 'Inbox' }] }
  await expect(w.dispatch(caller, create, input)).rejects.toThrow('limited to certain boards')
})

test('an app that is limited to boards receives no live changes of other boards', async () => {
  const w = await world()
  const caller = await limitedCaller(w)
  const sees = (project_id: number) => caller.projects!.has(project_id)
  await w.ada['tasks.create']({
    project_id: w.board.project_id,
    title: 'Elsewhere',
    section_id: w.sections.Inbox,
  })
  const [change] = (await w.changes()).slice(-1)
  expect(await canSeeChange(caller, change!, sees)).toBe(false)
  expect(await canSeeChange(w.ada.caller, change!, () => true)).toBe(true)
})
