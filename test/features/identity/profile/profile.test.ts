import { expect, test } from 'bun:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { version } from '../../../../package.json'
import { createTeam, joinTeam } from '../../../../src/features/identity/teams/model/index.ts'
import { lastSeq } from '../../../../src/store/log.ts'
import { createBoard } from '../../../support/board.ts'
import { faultOf } from '../../../support/faults.ts'
import { world } from '../../../support/world.ts'

const TITLES = [
  'Marketing website',
  'Mobile app',
  'Customer onboarding',
  'Infrastructure',
  'Hiring pipeline',
  'Quarterly planning',
  'Bug triage',
  'Design system',
  'Data warehouse',
  'Partner integrations',
  'Security review',
  'Support inbox',
  'Content calendar',
  'Release train',
  'Office move',
  'Research notes',
  'Legal',
]

test('hello gives a person their identity, boards and scopes in at most 400 tokens', async () => {
  const w = await world({ hasBoard: false })
  for (const title of TITLES) await createBoard(w, title)
  for (let i = 0; i < 4; i++)
    await w.store.write(async (tx) => {
      const team_id = await createTeam(tx, `Team of ${i} people`, w.clock.now)
      await joinTeam(tx, team_id, w.ada.caller.actor_id, 'owner', w.clock.now)
    })
  const { body, text } = await w.http(
    await w.authenticateAs(w.ada.caller.actor_id),
    'GET',
    '/api/v1/user/hello',
  )
  expect(body.data).toMatchObject({
    you: { kind: 'person', user_id: w.ada.caller.actor_id, name: 'Ada' },
    more_boards: 2,
    more_teams: 1,
  })
  expect(body.data.boards).toHaveLength(15)
  expect(body.data.may.split(' ')).toContain('teams:manage')
  expect(body.data.schema_version).toMatch(/^[\w-]{12}$/)
  expect(countTokens(text)).toBeLessThanOrEqual(400)
})

test('hello gives an agent its identity, owner, teams and visible boards', async () => {
  const w = await world({ hasBoard: false })
  const { project_id } = await createBoard(w, 'Open')
  await createBoard(w, 'Closed', { access: 'invited' })
  const hello = await w.bot['user_context.hello']({})
  expect(hello.you).toEqual({
    kind: 'agent',
    agent_id: w.bot.caller.agent_id!,
    owner_id: w.cleo.caller.actor_id,
    name: 'Bot',
  })
  expect(hello.teams).toEqual([{ team_id: w.team_id, name: 'Harbour', role: 'member' }])
  expect(hello.boards).toEqual([{ project_id, title: 'Open' }])
  expect(hello.may).not.toContain('agents:manage')
  expect(hello).not.toHaveProperty('more_boards')
})

test('hello explains claiming only to agents that may claim, in at most 400 tokens', async () => {
  const w = await world({ hasBoard: false })
  for (const title of TITLES) await createBoard(w, title)
  const { body, text } = await w.http(w.bot, 'GET', '/api/v1/user/hello')
  expect(body.data.start).toStartWith('Take work: svc_tasks next with project_id and claim true.')
  expect(countTokens(text)).toBeLessThanOrEqual(400)
  const reader = await w.addAgent(w.team_id, w.cleo, 'Reader', ['tasks:read', 'profile:read'])
  for (const actor of [reader, w.cleo])
    expect((await actor['user_context.hello']({})).start).toStartWith('Columns and labels')
})

for (const title of [
  'Quarterly planning of the whole company ',
  '第三四半期の計画と予算の見直し',
  'Планирование квартала ',
  '🚀🎉👩‍👩‍👧',
])
  test(`hello stays within 400 tokens with long titles: ${title}`, async () => {
    const w = await world({ hasBoard: false })
    for (let i = 0; i < 20; i++) await createBoard(w, title.repeat(5))
    for (let i = 0; i < 4; i++)
      await w.store.write(async (tx) => {
        const team_id = await createTeam(tx, title.repeat(4), w.clock.now)
        await joinTeam(tx, team_id, w.ada.caller.actor_id, 'owner', w.clock.now)
      })
    const { body, text } = await w.http(w.ada, 'GET', '/api/v1/user/hello')
    expect(countTokens(text)).toBeLessThanOrEqual(400)
    expect(body.data.boards.length + body.data.more_boards).toBe(20)
  })

test('hello truncates a long board title to 40 characters', async () => {
  const w = await world({ hasBoard: false })
  await createBoard(w, 'A very long title. '.repeat(25))
  const { boards } = await w.ada['user_context.hello']({})
  expect(boards[0]!.title).toHaveLength(40)
})

test('the context holds profile, teams, boards, permissions and server', async () => {
  const w = await world({ hasBoard: false })
  const { project_id, key } = await createBoard(w, 'Open')
  await createBoard(w, 'Old', { status: 'Archive' })
  await w.ada['labels.create']({ project_id, name: 'urgent' })
  const { body } = await w.http(w.ada, 'GET', '/api/v1/user/context')
  expect(body.data.server.seq).toBe(await w.store.read(lastSeq))
  expect(body.data.server.seq).toBeGreaterThan(0)
  expect(body.data).toMatchObject({
    profile: {
      kind: 'person',
      user_id: w.ada.caller.actor_id,
      display_name: 'Ada',
      email: 'ada@example.com',
      time_zone: 'Europe/Berlin',
      locale: 'en',
      avatar: null,
      default_board: null,
    },
    teams: [{ team_id: w.team_id, name: 'Harbour', role: 'owner' }],
    boards: [{ project_id, key, title: 'Open', team_id: w.team_id }],
    has_more: false,
    credential: 'key',
    server: { url: 'http://localhost', mcp_url: 'http://localhost/mcp', version },
  })
  expect(body.data.boards).toHaveLength(1)
  expect(body.data.permissions).toEqual([...w.ada.caller.scopes])
  const agent = await w.bot['user_context.get']({})
  expect(agent.credential).toBe('agent')
  expect(agent.profile).toEqual({
    kind: 'agent',
    agent_id: w.bot.caller.agent_id!,
    owner_id: w.cleo.caller.actor_id,
    display_name: 'Bot',
    avatar: null,
    time_zone: 'Europe/Berlin',
  })
})

test('the context lists 50 boards and counts the rest', async () => {
  const w = await world({ hasBoard: false })
  for (let i = 0; i < 52; i++) await createBoard(w, `Board ${i}`)
  const { boards, has_more, more_boards } = await w.cleo['user_context.get']({})
  expect([boards.length, has_more, more_boards]).toEqual([50, true, 2])
})

test('a credential with only profile:read gets no boards in hello and in the context', async () => {
  const w = await world({ hasBoard: false })
  await createBoard(w, 'Open')
  const limited = await w.authenticateAs(w.ada.caller.actor_id, 'key', ['profile:read'])
  expect((await limited['user_context.hello']({})).boards).toEqual([])
  expect((await limited['user_context.get']({})).boards).toEqual([])
})

test('hello gives a person without a team empty lists of teams and boards', async () => {
  const w = await world({ hasBoard: false })
  await w.gus['teams.leave']({ team_id: w.team_id })
  const teamless = await w.authenticateAs(w.gus.caller.actor_id)
  const hello = await teamless['user_context.hello']({})
  expect([hello.teams, hello.boards]).toEqual([[], []])
})

test('a person updates every profile field, and null clears avatar and default board', async () => {
  const w = await world({ hasBoard: false })
  const { project_id } = await createBoard(w, 'Open')
  const { status, body } = await w.http(w.cleo, 'PATCH', '/api/v1/user/profile', {
    display_name: ' Cleo P. ',
    time_zone: 'America/New_York',
    locale: 'PT-br',
    avatar: 'https://example.com/cleo.png',
    default_board: project_id,
  })
  expect(status).toBe(200)
  expect(body.data).toMatchObject({
    display_name: 'Cleo P.',
    time_zone: 'America/New_York',
    locale: 'pt-BR',
    avatar: 'https://example.com/cleo.png',
    default_board: project_id,
  })
  const fields = ['avatar', 'default_board', 'display_name', 'locale', 'time_zone']
  expect(body.data.changed.sort()).toEqual(fields)
  const [change] = await w.changes()
  expect([change!.type, (change!.data.fields as string[]).sort()]).toEqual([
    'profile.updated',
    fields,
  ])
  expect(JSON.stringify(change)).not.toContain('cleo.png')
  const cleared = await w.cleo['user_context.update_profile']({ avatar: null, default_board: null })
  expect([cleared.avatar, cleared.default_board, cleared.locale]).toEqual([null, null, 'pt-BR'])
})

test('a default board that the person can no longer see is null', async () => {
  const w = await world({ hasBoard: false })
  const { project_id } = await createBoard(w, 'Open')
  await w.cleo['user_context.update_profile']({ default_board: project_id })
  await w.ada['teams.set_role']({
    team_id: w.team_id,
    user_id: w.cleo.caller.actor_id,
    role: 'guest',
  })
  const guest = await w.authenticateAs(w.cleo.caller.actor_id)
  expect((await guest['user_context.get']({})).profile.default_board).toBeNull()
})

test('an agent can change only its name and avatar, and a taken name is refused', async () => {
  const w = await world({ hasBoard: false })
  const { bot, ben } = w
  const avatar = 'https://example.com/bot.png'
  const changed = await bot['user_context.update_profile']({ display_name: 'BOT', avatar })
  expect(changed).toMatchObject({ kind: 'agent', display_name: 'BOT', avatar })
  await ben['agents.create']({ name: 'Scout', team_id: w.team_id })
  const fault = await faultOf(bot['user_context.update_profile']({ display_name: 'scout' }))
  expect([fault.code, fault.details.field]).toEqual(['conflict', 'display_name'])
  for (const input of [{ time_zone: 'UTC' }, { locale: 'de' }, { default_board: null }])
    expect((await faultOf(bot['user_context.update_profile'](input))).code).toBe('forbidden')
  expect(await w.changeTypes()).toEqual(['agent.updated', 'profile.updated', 'agent.created'])
  const [change] = await w.changes()
  expect(change).toMatchObject({
    ...{ team_id: w.team_id, actor_id: bot.caller.actor_id },
    data: { name: 'BOT', changed: { name: { before: 'Bot', after: 'BOT' } } },
  })
})

test('invalid profile fields are refused with field and code, and nothing is changed', async () => {
  const w = await world({ hasBoard: false })
  const { project_id } = await createBoard(w, 'Closed', { access: 'invited' })
  for (const [field, value, code] of [
    ['display_name', '', 'required'],
    ['display_name', null, 'required'],
    ['display_name', '  ', 'invalid_format'],
    ['time_zone', 'Mars/Olympus', 'invalid_format'],
    ['time_zone', '+02:00', 'invalid_format'],
    ['locale', 'en_US', 'invalid_format'],
    ['avatar', 'http://example.com/a.png', 'invalid_format'],
    ['avatar', 'javascript:alert(1)', 'invalid_format'],
    ['avatar', 'https://me:secret@example.com/a.png', 'invalid_format'],
    ['default_board', project_id, 'not_found'],
    ['default_board', 'Open', 'invalid_type'],
    ['email', 'new@example.com', 'unknown_field'],
  ] as const) {
    const draft = { ...(field !== 'display_name' && { display_name: 'New' }), [field]: value }
    const { status, body } = await w.http(w.cleo, 'PATCH', '/api/v1/user/profile', draft)
    expect([field, value, status, body.details.field, body.details.code]).toEqual([
      field,
      value,
      400,
      field,
      code,
    ])
  }
  expect((await w.http(w.cleo, 'PATCH', '/api/v1/user/profile', {})).status).toBe(400)
  expect((await w.cleo['user_context.get']({})).profile.display_name).toBe('Cleo')
  expect(await w.changeTypes()).toEqual([])
})

test('the context lists the keys, agents, webhooks and feeds of an account, without secrets', async () => {
  const w = await world({ hasBoard: false })
  const { key } = await w.cleo['api_keys.create']({ name: 'Laptop' })
  const feed = await w.cleo['calendar_feeds.create']({ title: 'Phone' })
  const agent_id = w.bot.caller.agent_id!
  const url = 'https://example.com/hook/s3cret-path'
  await w.cleo['webhooks.configure']({ agent_id, url, events: ['task.assigned'] })
  const personContext = await w.cleo['user_context.get']({})
  expect(personContext.connections.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    ...['api_key Laptop', 'api_key test', 'agent Bot', 'webhook example.com'],
    'calendar_feed Phone',
  ])
  expect(personContext.more_connections).toBe(0)
  const text = JSON.stringify(personContext)
  for (const secret of [key, feed.url, 's3cret-path']) expect(text).not.toContain(secret)
  // An agent sees its own webhook, but no connection of its owner.
  const context = await w.bot['user_context.get']({})
  expect(context.connections).toEqual([
    {
      ...{ kind: 'webhook', id: agent_id, name: 'example.com' },
      ...{ active: true, last_used_at: null },
    },
  ])
  const limited = await w.authenticateAs(w.cleo.caller.actor_id, 'key', ['profile:read'])
  const { connections } = await limited['user_context.get']({})
  expect(connections.map(({ kind }) => kind)).toEqual(['agent', 'webhook', 'calendar_feed'])
})

test('the language of a profile can be left to the browser, and a team has a tag or none', async () => {
  const w = await world()
  const { locale } = await w.cleo['user_context.update_profile']({ locale: 'auto' })
  expect(locale).toBe('auto')
  const { team_id } = w
  expect((await w.ada['team_policy.update']({ team_id, locale: 'PT-br' })).locale).toBe('pt-BR')
  expect(await faultOf(w.ada['team_policy.update']({ team_id, locale: 'auto' }))).toMatchObject({
    details: { field: 'locale', code: 'invalid_format' },
  })
})
