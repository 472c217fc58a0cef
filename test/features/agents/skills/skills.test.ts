import { expect, test } from 'bun:test'
import {
  enabledSkills,
  markSkillsUsed,
  skillFor,
  skillsNamedIn,
} from '../../../../src/features/agents/skills/model/index.ts'
import { MAX_SKILLS } from '../../../../src/features/agents/skills/model/schema.ts'
import { AGENT_SCOPES } from '../../../../src/features/identity/teams/model/index.ts'
import { faultOf } from '../../../support/faults.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

const make = (actor: Actor, name: string, overrides: object = {}) =>
  actor['skills.create']({ name, body: `How to ${name}`, ...overrides })

const onBoard = ({ board }: World) => ({ scope: 'project' as const, project_id: board.project_id })
const slugs = (rows: readonly { slug: string }[]) => rows.map(({ slug }) => slug)
const inTransaction = <T>(w: World, { caller }: Actor, ask: (ctx: never) => Promise<T>) =>
  w.store.read((tx) => ask({ tx, caller } as never))

test('a person creates, lists, updates and deletes their own skills; others cannot see them', async () => {
  const w = await world()
  const created = await make(w.ada, 'Release notes', { description: 'For a new version' })
  expect(created).toEqual({
    skill_id: created.skill_id,
    ...{ scope: 'user', project_id: null, slug: 'release-notes', name: 'Release notes' },
    ...{ enabled: true, changed: ['name', 'body', 'description'] },
  })
  expect((await w.ada['skills.list']({})).items).toEqual([
    {
      skill_id: created.skill_id,
      ...{ scope: 'user', project_id: null, slug: 'release-notes', name: 'Release notes' },
      ...{ description: 'For a new version', argument_hint: null, enabled: true, source: null },
      created_by: { kind: 'person', user_id: w.ada.caller.actor_id, name: 'Ada' },
      ...{ last_used_at: null, created_at: '2026-11-20T12:00:00.000Z' },
      updated_at: '2026-11-20T12:00:00.000Z',
    },
  ])
  const { skill_id } = created
  for (const other of [w.ben, w.bot, w.otto])
    for (const ask of [
      () => other['skills.get']({ skill_id }),
      () => other['skills.update']({ skill_id, name: 'Mine' }),
      () => other['skills.delete']({ skill_id }),
    ])
      expect((await faultOf(ask())).details).toMatchObject({ field: 'skill_id', code: 'not_found' })
  expect((await w.ben['skills.list']({})).items).toEqual([])
  const next = await w.ada['skills.update']({ skill_id, slug: 'notes', argument_hint: '[version]' })
  expect(next.changed).toEqual(['slug', 'argument_hint'])
  expect((await w.ada['skills.update']({ skill_id, slug: 'notes' })).changed).toEqual([])
  expect(await w.ada['skills.delete']({ skill_id })).toMatchObject({ skill_id, slug: 'notes' })
  expect(await w.changes()).toMatchObject([
    { type: 'skill.created', team_id: null, project_id: null },
    {
      type: 'skill.updated',
      data: { skill_id, slug: 'notes', changed: ['slug', 'argument_hint'] },
    },
    { type: 'skill.deleted', data: { skill_id } },
  ])
})

test('viewers list a board’s skills and members edit them; ordinary agents see only enabled ones', async () => {
  const w = await world()
  const { project_id } = w.board
  await w.ada['projects.invite_member']({ project_id, member_identifier: w.gus.caller.actor_id })
  const { skill_id } = await make(w.cleo, 'triage', onBoard(w))
  const disabled = await make(w.cleo, 'later', { ...onBoard(w), enabled: false })
  const reader = await w.addAgent(w.team_id, w.cleo, 'Reader', ['profile:read', 'projects:read'])
  const listed = async (actor: Actor) => slugs((await actor['skills.list']({ project_id })).items)
  expect(await listed(w.ben)).toEqual(['later', 'triage'])
  expect(await listed(w.gus)).toEqual(['later', 'triage'])
  const instructor = await w.addAgent(w.team_id, w.cleo, 'Instructor', AGENT_SCOPES)
  expect(await listed(instructor)).toEqual(['later', 'triage'])
  expect(await listed(w.bot)).toEqual(['triage'])
  expect(await listed(reader)).toEqual(['triage'])
  const hidden = await faultOf(reader['skills.get']({ skill_id: disabled.skill_id }))
  expect(hidden.details).toMatchObject({ field: 'skill_id', code: 'not_found' })
  expect((await reader['skills.get']({ skill_id })).body).toBe('How to triage')
  expect((await faultOf(w.otto['skills.list']({ project_id }))).code).toBe('not_found')
  expect((await faultOf(w.gus['skills.update']({ skill_id, name: 'x' }))).code).toBe('forbidden')
  expect((await w.ben['skills.update']({ skill_id, name: 'Sort' })).changed).toEqual(['name'])
  const changes = (await w.changes()).filter(({ type }) => type.startsWith('skill.'))
  expect(changes[0]).toMatchObject({ type: 'skill.created', project_id, data: { slug: 'triage' } })
})

test('a guest can have their own skills; keys and agents need the scope for a board’s skills', async () => {
  const w = await world()
  const { project_id } = w.board
  expect((await make(w.gus, 'mine')).slug).toBe('mine')
  const limited = await w.authenticateAs(w.ada.caller.actor_id, 'key', [
    'profile:read',
    'profile:write',
  ])
  const { skill_id } = await make(w.ada, 'triage', onBoard(w))
  expect((await make(limited, 'quick')).slug).toBe('quick')
  for (const ask of [
    () => limited['skills.list']({ project_id }),
    () => limited['skills.get']({ skill_id }),
    () => limited['skills.delete']({ skill_id }),
    () => make(limited, 'more', onBoard(w)),
  ])
    expect((await faultOf(ask())).message).toMatch(/lacks the scope projects:(read|instruct)/)
  expect(await faultOf(make(w.bot, 'mine'))).toMatchObject({
    ...{ code: 'forbidden', message: 'Agents have no skills of their own' },
    hint: expect.stringContaining('"scope": "project"'),
  })
  const instructor = await w.addAgent(w.team_id, w.cleo, 'Instructor', AGENT_SCOPES)
  expect((await make(instructor, 'ours', onBoard(w))).scope).toBe('project')
  const { body } = await w.http(w.bot, 'GET', '/api/v1/skills')
  expect(body).toMatchObject({ data: [], warnings: [{ field: 'project_id', code: 'required' }] })
})

test('scope project requires project_id, and project_id requires scope project', async () => {
  const w = await world()
  const { project_id } = w.board
  const fault = await faultOf(make(w.ada, 'x', { scope: 'project' }))
  expect(fault.details).toMatchObject({ field: 'project_id', code: 'required' })
  const withoutScope = await faultOf(make(w.ada, 'x', { project_id }))
  expect(withoutScope.details).toMatchObject({ field: 'scope', code: 'conflict' })
  expect(withoutScope.hint).toContain('"scope": "project"')
})

test('a slug is derived from the name and is unique for each person and each board', async () => {
  const w = await world()
  const { skill_id } = await make(w.ada, 'Triage')
  expect((await make(w.ben, 'Triage')).slug).toBe('triage')
  expect((await make(w.ada, 'Triage', onBoard(w))).slug).toBe('triage')
  expect(await faultOf(make(w.ada, 'triage!'))).toMatchObject({
    ...{ code: 'conflict', message: 'You already have a skill /triage' },
    details: { field: 'slug', value: 'triage', skill_id },
    hint: expect.stringContaining(`"skill_id": ${skill_id}`),
  })
  const other = await make(w.ada, 'Other')
  const clash = await faultOf(w.ada['skills.update']({ skill_id: other.skill_id, slug: 'triage' }))
  expect(clash.code).toBe('conflict')
  expect((await faultOf(make(w.ben, 'Triage', onBoard(w)))).message).toBe(
    'This board already has a skill /triage',
  )
  for (const slug of ['Triage', 'a b', '-a', 'a--b', 'a'.repeat(65), ''])
    expect((await faultOf(make(w.ada, 'x', { slug }))).details.field).toBe('slug')
  expect((await faultOf(make(w.ada, '日本'))).details).toMatchObject({
    ...{ field: 'slug', code: 'required' },
  })
  expect((await make(w.ada, '日本', { slug: 'japan' })).name).toBe('日本')
})

test('of concurrent creates with the same slug only one succeeds, for a person and a board', async () => {
  const w = await world()
  for (const place of [{}, onBoard(w)]) {
    const attempts = Array.from({ length: 6 }, () => make(w.ada, 'Race', place))
    const successful = (await Promise.allSettled(attempts)).filter(
      ({ status }) => status === 'fulfilled',
    )
    expect(successful).toHaveLength(1)
    const list = 'project_id' in place ? { project_id: w.board.project_id } : {}
    expect((await w.ada['skills.list'](list)).items).toHaveLength(1)
  }
})

test('a missing or too long field of a skill is refused, and so is a skill above the limit', async () => {
  const w = await world()
  const field = async (input: object) =>
    (await faultOf(w.ada['skills.create'](input))).details.field
  expect(await field({ body: 'x' })).toBe('name')
  expect(await field({ name: 'x' })).toBe('body')
  expect(await field({ name: 'x', body: ' \n ' })).toBe('body')
  expect(await field({ name: 'x', body: 'y'.repeat(100_001) })).toBe('body')
  expect(await field({ name: 'x', body: 'y', description: 'z'.repeat(1025) })).toBe('description')
  for (let at = 0; at < MAX_SKILLS; at++) await make(w.ada, `skill ${at}`)
  const fault = await faultOf(make(w.ada, 'one more'))
  expect(fault.message).toBe(`You have at most ${MAX_SKILLS} skills`)
  expect((await make(w.ben, 'another')).slug).toBe('another')
})

test('updating with a file keeps the slug, and clears optional fields that the file leaves out', async () => {
  const w = await world()
  const { skill_id } = await make(w.ada, 'Notes', { description: 'Old', argument_hint: '[x]' })
  const markdown = '---\nname: New notes\ncolor: red\nenabled: false\n---\n\nDo it.\n'
  const { body } = await w.http(w.ada, 'PATCH', `/api/v1/skills/${skill_id}`, { markdown })
  expect(body.data).toMatchObject({ slug: 'notes', name: 'New notes', enabled: false })
  expect(body.warnings).toEqual([
    { field: 'markdown', code: 'unknown_field', message: 'color is not a known key' },
  ])
  expect(await w.ada['skills.get']({ skill_id })).toMatchObject({
    ...{ description: '', argument_hint: null, body: 'Do it.\n' },
  })
})

test('skills are searched by text and sorted by last use, also over pages', async () => {
  const w = await world()
  const [a, b] = [await make(w.ada, 'alpha'), await make(w.ada, 'beta', { description: 'two' })]
  await make(w.ada, 'gamma', { enabled: false })
  await w.store.write((tx) => markSkillsUsed(tx, [b], w.clock.now))
  w.clock.advance(60_000)
  await w.store.write((tx) => markSkillsUsed(tx, [a], w.clock.now))
  const listed = async (overrides: object) => slugs((await w.ada['skills.list'](overrides)).items)
  expect(await listed({ sort: 'lastUsedAt' })).toEqual(['alpha', 'beta', 'gamma'])
  expect(await listed({ sort: 'lastUsedAt:asc' })).toEqual(['beta', 'alpha', 'gamma'])
  expect(await listed({ query: 'two' })).toEqual(['beta'])
  const first = await w.ada['skills.list']({ sort: 'lastUsedAt', limit: 1 })
  const { next_cursor } = first.page
  expect(await listed({ sort: 'lastUsedAt', limit: 2, cursor: next_cursor })).toEqual([
    ...['beta', 'gamma'],
  ])
  const { items } = await w.ada['skills.list']({ query: 'alpha' })
  expect(items[0]!.last_used_at).toBe('2026-11-20T12:01:00.000Z')
})

test('a slug resolves to the board’s skill, then the caller’s own, never a disabled or foreign one', async () => {
  const w = await world()
  const { project_id } = w.board
  await make(w.ada, 'triage')
  const boardSkill = await make(w.cleo, 'triage', onBoard(w))
  await make(w.ada, 'mine')
  await make(w.ada, 'off', { enabled: false })
  await make(w.ben, 'bens')
  const called = (actor: Actor, slug: string, board: number | undefined = project_id) =>
    inTransaction(w, actor, (ctx) => skillFor(ctx, board, slug))
  expect(await called(w.ada, 'triage')).toMatchObject({ skill_id: boardSkill.skill_id })
  expect(await inTransaction(w, w.ada, (ctx) => skillFor(ctx, undefined, 'triage'))).toMatchObject({
    ...{ project_id: null, body: 'How to triage' },
  })
  expect((await called(w.ada, 'mine'))?.slug).toBe('mine')
  for (const slug of ['off', 'bens', 'nothing', 'No slug', '../x'])
    expect(await called(w.ada, slug)).toBeUndefined()
  expect(await called(w.otto, 'triage')).toBeUndefined()
  const all = await inTransaction(w, w.ada, (ctx) => enabledSkills(ctx, project_id))
  expect(slugs(all)).toEqual(['mine', 'triage'])
  expect(all[1]).toEqual({
    ...{ skill_id: boardSkill.skill_id, project_id, slug: 'triage', name: 'triage' },
    ...{ description: '', argument_hint: null },
  })
  expect(slugs(await inTransaction(w, w.bot, (ctx) => enabledSkills(ctx, project_id)))).toEqual([
    'triage',
  ])
})

test('@slug in a text names a skill of the board, but not in code or an email address', async () => {
  const w = await world()
  const { project_id } = w.board
  for (const name of ['triage', 'release-notes', '3d']) await make(w.cleo, name, onBoard(w))
  const named = async (text: string, format?: 'html') =>
    slugs(await inTransaction(w, w.bot, (ctx) => skillsNamedIn(ctx, project_id, text, format)))
  expect(await named('Use @release-notes, then @triage. And @triage; or @3d')).toEqual([
    ...['release-notes', 'triage', '3d'],
  ])
  expect(await named('me@triage.org, `@triage`, @triage-not, @triages, @TRIAGE')).toEqual([])
  expect(await named('<p>Do <b>@triage</b></p>', 'html')).toEqual(['triage'])
  expect(await named('')).toEqual([])
})

test('a comment with @slug marks the skill as used and gets no unresolved_mention warning', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  await make(w.cleo, 'triage', onBoard(w))
  const warned = async (text: string) =>
    (await w.http(w.cleo, 'POST', `/api/v1/tasks/${task_id}/comments`, { text })).body.warnings
  expect(await warned('Do @triage here')).toBeUndefined()
  const { items } = await w.cleo['skills.list']({ project_id: w.board.project_id })
  expect(items[0]!.last_used_at).toBe(w.clock.now.toISOString())
  expect(await warned('Do @tirage here')).toMatchObject([{ code: 'unresolved_mention' }])
})
