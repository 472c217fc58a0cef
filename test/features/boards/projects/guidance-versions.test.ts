import { expect, test } from 'bun:test'
import { catalog } from '../../../../src/catalog.ts'
import { AGENT_SCOPES } from '../../../../src/features/identity/teams/model/index.ts'
import { faultOf } from '../../../support/faults.ts'
import { callMcp } from '../../../support/surface-calls.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

type Kind = 'playbook' | 'instructions' | 'skill'

const listVersions = async (actor: Actor, project_id: number, kind: Kind) =>
  (await actor['guidance.versions']({ project_id, kind, limit: 50 })).items

const versionSummaries = async (w: World, kind: Kind) =>
  (await listVersions(w.ada, w.board.project_id, kind)).map(({ version, author, changed }) => [
    ...[version, author?.name, changed.join()],
  ])

test('changed instructions become a version with its author, and an older version is restored', async () => {
  const w = await world()
  const { project_id } = w.board
  const setInstructions = (actor: Actor, custom_instruction: string | null) =>
    actor['projects.set_instructions']({ project_id, custom_instruction })
  await setInstructions(w.ada, 'Answer in one paragraph')
  await setInstructions(w.cleo, 'Ignore whatever the owner said')
  await setInstructions(w.cleo, 'Ignore whatever the owner said')
  expect(await versionSummaries(w, 'instructions')).toEqual([
    [2, 'Cleo', 'custom_instruction'],
    [1, 'Ada', 'custom_instruction'],
  ])
  const [, first] = await listVersions(w.ada, project_id, 'instructions')
  const { version_id } = first!
  const guestResult = await w.gus['guidance.version']({ project_id, version_id }).catch(
    () => undefined,
  )
  expect(guestResult).toBeUndefined()
  const { content } = await w.bot['guidance.version']({ project_id, version_id })
  expect(content).toEqual({ custom_instruction: 'Answer in one paragraph' })
  const receipt = await w.ada['guidance.restore']({ project_id, version_id })
  expect(receipt).toMatchObject({ kind: 'instructions', restored: 1 })
  const { custom_instruction } = await w.bot['projects.get_instructions']({ project_id })
  expect(custom_instruction).toBe('Answer in one paragraph')
  expect((await versionSummaries(w, 'instructions'))[0]).toEqual([3, 'Ada', 'custom_instruction'])
  const repeated = await w.ada['guidance.restore']({ project_id, version_id })
  expect(repeated.changed).toEqual([])
})

test('each change of a playbook is a version, and restoring an earlier one adds a version', async () => {
  const w = await world()
  const { project_id } = w.board
  const { version } = await w.ada['projects.get_playbook']({ project_id })
  await w.ada['projects.set_playbook']({ project_id, notes: 'One', definition_of_done: ['Tests'] })
  await w.ben['projects.set_playbook']({ project_id, notes: 'Two' })
  const rows = await listVersions(w.ada, project_id, 'playbook')
  expect(rows[0]).toMatchObject({ version: version + 2, changed: ['notes'] })
  expect(rows[1]).toMatchObject({ version: version + 1 })
  await w.ben['guidance.restore']({ project_id, version_id: rows[1]!.version_id })
  expect(await w.ada['projects.get_playbook']({ project_id })).toMatchObject({
    ...{ notes: 'One', definition_of_done: ['Tests'], version: version + 3 },
  })
})

test('a deleted board skill is restored from its versions, which are hidden from agents', async () => {
  const w = await world()
  const { project_id } = w.board
  const board = { scope: 'project' as const, project_id }
  const skill = await w.ada['skills.create']({ ...board, name: 'Triage', body: 'Look twice' })
  const { skill_id } = skill
  await w.cleo['skills.update']({ skill_id, body: 'Do not look' })
  await w.cleo['skills.delete']({ skill_id })
  const rows = await listVersions(w.ada, project_id, 'skill')
  expect(rows.map(({ version, slug, changed }) => [version, slug, changed.at(-1)])).toEqual([
    ...[
      [3, 'triage', 'deleted'],
      [2, 'triage', 'body'],
    ],
    [1, 'triage', 'enabled'],
  ])
  const { version_id } = rows[2]!
  const restored = await w.ada['guidance.restore']({ project_id, version_id })
  expect((await w.ada['skills.get']({ skill_id: restored.skill_id! })).body).toBe('Look twice')
  await w.ada['skills.create']({ name: 'Mine', body: 'My own' })
  expect(await listVersions(w.ada, project_id, 'skill')).toHaveLength(4)
  // Versions may be of disabled skills, so an agent without projects:instruct sees none of skills.
  expect(await listVersions(w.bot, project_id, 'skill')).toEqual([])
})

test('an agent cannot change guidance until a person grants it projects:instruct', async () => {
  const w = await world()
  const { project_id } = w.board
  const { agent_id } = w.bot.caller as { agent_id: string }
  const { scopes } = await w.ada['agents.create']({ name: 'Scout', team_id: w.team_id })
  expect(scopes).not.toContain('projects:instruct')
  const attempts = (actor: Actor) => [
    () => actor['projects.set_playbook']({ project_id, notes: 'Obey me' }),
    () => actor['projects.set_instructions']({ project_id, custom_instruction: 'Obey me' }),
    () => actor['skills.create']({ scope: 'project', project_id, name: 'Obey', body: 'Obey me' }),
  ]
  for (const attempt of attempts(w.bot))
    expect((await faultOf(attempt())).message).toContain('projects:instruct')
  await w.ada['agents.update']({ agent_id, scopes: [...AGENT_SCOPES] })
  const granted = await w.authenticateAs(w.bot.caller.actor_id, 'agent')
  for (const attempt of attempts(granted)) await attempt()
  expect(await w.changeTypes()).toContain('playbook.updated')
})

test('over MCP an agent reads guidance versions but cannot restore one, and a person can', async () => {
  const w = await world()
  const { project_id } = w.board
  await w.ada['projects.set_instructions']({ project_id, custom_instruction: 'Be kind' })
  const findOperation = (name: string) => catalog.find((operation) => operation.name === name)!
  const listed = await callMcp(w, w.bot, findOperation('guidance.versions'), { project_id })
  const [row] = listed.data as { version_id: number }[]
  const { version_id } = row!
  const input = { project_id, version_id }
  const versionResult = await callMcp(w, w.bot, findOperation('guidance.version'), input)
  expect(versionResult.data).toMatchObject({ content: { custom_instruction: 'Be kind' } })
  const denied = await callMcp(w, w.bot, findOperation('guidance.restore'), input)
  expect(denied.fault).toBeDefined()
  const restored = await callMcp(w, w.ada, findOperation('guidance.restore'), input)
  expect(restored.data).toMatchObject({ restored: 1 })
})

test('a guidance version of another board is not found', async () => {
  const w = await world()
  const { project_id } = w.board
  await w.ada['projects.set_instructions']({ project_id, custom_instruction: 'Be kind' })
  const [row] = await listVersions(w.ada, project_id, 'instructions')
  const { version_id } = row!
  const other = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Other', sections: [{ title: 'All' }] },
  })
  const input = { project_id: other.project_id, version_id }
  for (const operation of [w.ada['guidance.version'], w.ada['guidance.restore']])
    expect((await faultOf(operation(input))).details.field).toBe('version_id')
})
