import { expect, test } from 'bun:test'
import { cleanName, keyCandidates } from '../../../../src/features/boards/projects/model/index.ts'
import { type Actor, world } from '../../../support/world.ts'

/** Creates a world with one board, which the member Cleo creates. */
async function opened(draft: { title?: string; description?: string } = {}) {
  const w = await world({ hasBoard: false })
  const open = (actor: Actor, title: string, overrides: { access?: 'team' | 'invited' } = {}) =>
    actor['projects.create']({
      ...{ title, team_id: w.team_id, sections: [{ title: 'Now' }] },
      ...draft,
      ...overrides,
    })
  const { project_id } = await open(w.cleo, draft.title ?? 'Website')
  const seq = (await w.changes()).at(-1)!.seq
  return { ...w, open, project_id, seq }
}

const keyOf = (title: string) => keyCandidates(title).next().value

test('a board key is built from the letters of the title', () => {
  const keys = {
    Website: 'WEB',
    'Website Relaunch': 'WR',
    'The Very Long Name Of A Board': 'TVLNO',
    'Ärger mit Öl': 'AMO',
    '2026 Budget Plan': 'BP',
    '7': 'BRD',
    X: 'XBR',
    掲示板: 'BRD',
    '🚀🚀': 'BRD',
    'a-b': 'AB',
  }
  expect(Object.fromEntries(Object.keys(keys).map((title) => [title, keyOf(title)]))).toEqual(keys)
})

test('further key candidates are distinct and have at most five characters', () => {
  const keys = [...keyCandidates('The Very Long Name Of A Board')]
  expect(keys.slice(0, 3)).toEqual(['TVLNO', 'TVLN2', 'TVLN3'])
  expect(new Set(keys).size).toBe(keys.length)
  for (const key of keys) expect(key).toMatch(/^[A-Z][A-Z0-9]{1,4}$/)
})

test('a title is collapsed to one line, and refused without a visible character', () => {
  expect(cleanName('title', '  Two\n words\t ')).toBe('Two words')
  for (const title of [' ', '\n', '\u200b', '\u00a0\u2060'])
    expect(() => cleanName('title', title)).toThrow('title must not be empty')
})

test('a renamed board keeps its key', async () => {
  const { cleo, project_id, seq, changes } = await opened()
  expect(await cleo['projects.rename']({ project_id, title: ' Shop ' })).toEqual({
    ...{ project_id, key: 'WEB', title: 'Shop', status: 'Normal', changed: ['title'] },
    url: `http://localhost/projects/${project_id}`,
  })
  const [change, ...rest] = await changes(seq)
  expect(change).toMatchObject({ type: 'project.renamed', project_id })
  expect(change?.data).toEqual({ title: 'Shop', before: 'Website' })
  expect(rest).toEqual([])
})

test('renaming a board to its current title changes nothing', async () => {
  const { cleo, project_id, seq, changeTypes, clock } = await opened()
  clock.advance(1000)
  const { changed } = await cleo['projects.rename']({ project_id, title: 'Website' })
  expect(changed).toEqual([])
  expect(await changeTypes(seq)).toEqual([])
  const { items } = await cleo['projects.list']({})
  expect(items[0]!.updated_at).toBe('2026-11-20T12:00:00.000Z')
})

test('members and their agents rename a board; guests get 403, outsiders 404, anonymous 401', async () => {
  const { ada, ben, bot, gus, otto, project_id, http } = await opened()
  const rename = async (actor: Actor | undefined, title: string) =>
    (await http(actor, 'PATCH', `/api/v1/projects/${project_id}`, { title })).status
  expect(await rename(ada, 'A')).toBe(200)
  expect(await rename(ben, 'B')).toBe(200)
  expect(await rename(bot, 'C')).toBe(200)
  expect(await rename(otto, 'D')).toBe(404)
  expect(await rename(gus, 'E')).toBe(403)
  expect(await rename(undefined, 'F')).toBe(401)
})

test('a guest sees a board they were invited to, and cannot rename it', async () => {
  const { ada, gus, project_id, http } = await opened()
  const member_identifier = gus.caller.actor_id
  await ada['projects.invite_member']({ project_id, member_identifier })
  const { items } = await gus['projects.list']({})
  expect(items.map((board) => board.project_id)).toEqual([project_id])
  const { status } = await http(gus, 'PATCH', `/api/v1/projects/${project_id}`, { title: 'Mine' })
  expect(status).toBe(403)
})

test('a missing, non-text or too long board title is refused', async () => {
  const { cleo, project_id, http } = await opened()
  for (const [title, code] of [
    ['', 'required'],
    ['  ', 'required'],
    [null, 'required'],
    [7, 'invalid_type'],
    ['x'.repeat(501), 'too_long'],
  ]) {
    const { status, body } = await http(cleo, 'PATCH', `/api/v1/projects/${project_id}`, { title })
    expect([status, body.details.field, body.details.code]).toEqual([400, 'title', code])
  }
})

test('an archived board leaves the list and comes back', async () => {
  const { cleo, project_id, seq, changeTypes } = await opened()
  expect(await cleo['projects.archive']({ project_id })).toMatchObject({
    ...{ status: 'Archive', changed: ['status'] },
  })
  expect((await cleo['projects.list']({})).items).toEqual([])
  expect((await cleo['projects.list']({ status: 'Archive' })).items).toHaveLength(1)
  expect((await cleo['projects.archive']({ project_id })).changed).toEqual([])
  await cleo['projects.archive']({ project_id, status: 'Normal' })
  expect((await cleo['projects.list']({})).items).toHaveLength(1)
  expect(await changeTypes(seq)).toEqual(['project.archived', 'project.unarchived'])
})

test('admins archive the board of another member; members get 403, outsiders 404', async () => {
  const { ada, ben, cleo, bot, otto, open, http, addMember, team_id } = await opened()
  const dora = await addMember(team_id, 'Dora', 'member')
  const { project_id } = await open(dora, 'Garden')
  const archive = async (actor: Actor, status: string) =>
    (await http(actor, 'POST', `/api/v1/projects/${project_id}/archive`, { status })).status
  expect(await archive(cleo, 'Archive')).toBe(403)
  expect(await archive(bot, 'Archive')).toBe(403)
  expect(await archive(otto, 'Archive')).toBe(404)
  expect(await archive(ada, 'Archive')).toBe(200)
  expect(await archive(ben, 'Normal')).toBe(200)
  expect(await archive(ben, 'Deleted')).toBe(400)
})

test('a playbook update replaces the given parts, keeps absent ones and clears those set to null', async () => {
  const { cleo, project_id, seq, changes } = await opened()
  expect(await cleo['projects.get_playbook']({ project_id })).toEqual({
    ...{ project_id, working_rules: null, definition_of_done: [], notes: null },
    ...{ model_selected: null, version: 1 },
  })
  const first = await cleo['projects.set_playbook']({
    ...{ project_id, working_rules: 'Small steps', definition_of_done: ['Tested', 'Reviewed'] },
    ...{ notes: 'Ask Ada', if_version: 1 },
  })
  expect(first).toEqual({
    ...{ project_id, version: 2, changed: ['working_rules', 'definition_of_done', 'notes'] },
  })
  await cleo['projects.set_playbook']({ project_id, notes: null, model_selected: 'large' })
  await cleo['projects.set_playbook']({ project_id, definition_of_done: null })
  expect(await cleo['projects.get_playbook']({ project_id })).toEqual({
    ...{ project_id, working_rules: 'Small steps', definition_of_done: [], notes: null },
    ...{ model_selected: 'large', version: 4 },
  })
  const newChanges = await changes(seq)
  expect(newChanges.map(({ type }) => type)).toEqual(Array(3).fill('playbook.updated'))
  expect(JSON.stringify(newChanges)).not.toContain('Small steps')
})

test('an outdated if_version of a playbook is refused with 409 and the current playbook', async () => {
  const { ada, cleo, project_id, http } = await opened()
  await ada['projects.set_playbook']({ project_id, notes: 'first', if_version: 1 })
  const path = `/api/v1/projects/${project_id}/playbook`
  const { status, body } = await http(cleo, 'PUT', path, { notes: 'second', if_version: 1 })
  expect(status).toBe(409)
  expect(body.details).toMatchObject({
    ...{ field: 'if_version', code: 'conflict', version: 2 },
    current: { notes: 'first', version: 2 },
  })
  expect((await cleo['projects.get_playbook']({ project_id })).notes).toBe('first')
})

test('setting an unchanged playbook keeps its version and logs no change', async () => {
  const { cleo, project_id, changeTypes } = await opened()
  const rules = { project_id, definition_of_done: ['Tested'] }
  await cleo['projects.set_playbook'](rules)
  const seq = (await changeTypes()).length
  expect(await cleo['projects.set_playbook'](rules)).toMatchObject({ version: 2, changed: [] })
  expect(await changeTypes(seq)).toEqual([])
})

test('instructions are read and written under /api/v1 and /api/mcp, and null resets them', async () => {
  const { cleo, bot, project_id, seq, changeTypes, http } = await opened()
  for (const path of ['/api/v1', '/api/mcp'].map(
    (x) => `${x}/projects/${project_id}/instructions`,
  )) {
    expect((await http(cleo, 'GET', path)).body.data.custom_instruction).toBeNull()
    const input = { custom_instruction: 'Answer in German' }
    expect((await http(bot, 'PUT', path, input)).status).toBe(403)
    expect((await http(cleo, 'PUT', path, input)).status).toBe(200)
    expect((await http(bot, 'GET', path)).body.data).toEqual({ project_id, ...input })
    expect((await http(cleo, 'PUT', path, { custom_instruction: null })).status).toBe(200)
    const { status, body } = await http(cleo, 'PUT', path, {})
    expect([status, body.details.field]).toEqual([400, 'custom_instruction'])
  }
  expect(await changeTypes(seq)).toEqual(Array(4).fill('instructions.updated'))
})

test('outsiders and guests can neither read nor write the instructions of a board', async () => {
  const { otto, gus, project_id, http } = await opened()
  const path = `/api/mcp/projects/${project_id}/instructions`
  for (const actor of [otto, gus]) expect((await http(actor, 'GET', path)).status).toBe(404)
  const input = { custom_instruction: 'x' }
  expect((await http(otto, 'PUT', path, input)).status).toBe(404)
  expect((await http(gus, 'PUT', path, input)).status).toBe(403)
  expect((await http(undefined, 'GET', path)).status).toBe(401)
})

test('a board is found by title, key and description', async () => {
  const { cleo, otto } = await opened({ title: 'Harbour 50% off', description: 'All the boats' })
  for (const query of ['harbour', 'h5', 'BOATS', '50% o'])
    expect([query, (await cleo['projects.list']({ query })).items.length]).toEqual([query, 1])
  for (const query of ['boots', '5_', '%%'])
    expect([query, (await cleo['projects.list']({ query })).items.length]).toEqual([query, 0])
  expect((await cleo['projects.list']({ query: 'boats', search: 'nothing' })).items).toEqual([])
  expect((await otto['projects.list']({ query: 'boats' })).items).toEqual([])
})

test('boards are listed for one team by its number or UUID; another team is not found', async () => {
  const { cleo, team_id, otherTeamId, http } = await opened()
  const { items: teams } = await cleo['teams.list']({})
  for (const team of [team_id, teams[0]!.team_uuid])
    expect((await http(cleo, 'GET', `/api/v1/projects?team_id=${team}`)).body.page.total).toBe(1)
  const { status, body } = await http(cleo, 'GET', `/api/v1/projects?team_id=${otherTeamId}`)
  expect([status, body.details.field]).toEqual([404, 'team_id'])
})
