import { afterAll, beforeAll, expect, test } from 'bun:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import type { Scope } from '../../src/kernel/caller.ts'
import { createBoard } from '../support/board.ts'
import { connectHttp, connectNewest, connectSse } from './mcp-client.ts'
import { startTestServer } from './test-server.ts'

const MAX_TOKENS = 10_000
const TEMPLATES = [
  'corkboard://boards/{key}',
  'corkboard://boards/{key}/playbook',
  'corkboard://tasks/{ticket_number}',
  'corkboard://pages/{page_id}',
  'corkboard://manual/{name}',
]

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

type Connected = Awaited<ReturnType<typeof connectHttp>>

async function readText(client: Connected, uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri })
  expect(contents).toMatchObject([{ uri, mimeType: 'text/markdown' }])
  return (contents[0] as { text: string }).text
}

async function listAll(client: Connected) {
  const resources: Awaited<ReturnType<Connected['listResources']>>['resources'] = []
  let cursor: string | undefined
  let pages = 0
  do {
    const page = await client.listResources(cursor === undefined ? {} : { cursor })
    resources.push(...page.resources)
    cursor = page.nextCursor
    pages++
  } while (cursor)
  return { resources, pages }
}

const clientWith = async (scopes: Scope[]) =>
  connectHttp(server.base, await server.authenticateAs(server.cleo.caller.actor_id, 'key', scopes))

test('all transports list boards, playbooks and the manual, and read each as markdown', async () => {
  const { base, cleo, board } = server
  for (const connect of [connectHttp, connectSse, connectNewest]) {
    const client = (await connect(base, cleo)) as Connected
    const { resources } = await listAll(client)
    const [first, second] = resources
    expect(first).toMatchObject({
      uri: 'corkboard://boards/HP',
      title: board.title,
      mimeType: 'text/markdown',
      annotations: { audience: ['user', 'assistant'], lastModified: expect.any(String) },
    })
    expect(second).toMatchObject({ uri: 'corkboard://boards/HP/playbook' })
    expect(resources.map(({ uri }) => uri)).toContain('corkboard://manual/agents')
    for (const { uri } of resources) expect(await readText(client, uri)).toStartWith('# ')
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(TEMPLATES)
    await client.close()
  }
})

test('a board shows its columns and labels with their ids, a task everything needed to work on it', async () => {
  const { base, cleo, ada, sections, labels, tasks } = server
  const client = await connectHttp(base, cleo)
  const board = await readText(client, 'corkboard://boards/hp')
  expect(board).toStartWith('# Home page\n')
  expect(board).toContain(`- Doing (section_id ${sections.Doing}, building): 1 tasks`)
  expect(board).toContain(`- bug (label_id ${labels.bug})`)
  const text = 'Which *two*?'
  await ada['comments.add']({ task_id: tasks.logo.task_id, text, content_type: 'markdown' })
  await ada['decision_requests.create']({
    ...{ task_id: tasks.logo.task_id, question: 'Red or blue?', options: ['Red', 'Blue'] },
  })
  await ada['relations.create']({
    source_task_id: tasks.logo.task_id,
    target_task_id: tasks.copy.task_id,
    relation_type: 'BlockedBy',
  })
  const task = await readText(client, 'corkboard://tasks/HP-1')
  expect(task).toStartWith('# HP-1 Draw the logo\n')
  for (const line of [
    '- Board: [Home page](corkboard://boards/HP)',
    `- Column: Doing (section_id ${sections.Doing})`,
    '- Priority: High',
    '- Due: 2026-11-27',
    '- Assignees: Cleo',
    'In two colours.',
    '- [HP-2 Write the copy](corkboard://tasks/HP-2) · Next',
    '- Red or blue? (Red / Blue; decision_request_id 1)',
    '### Ada, 2026-11-20 12:00\n\nWhich *two*?',
  ])
    expect(task).toContain(line)
  await client.close()
})

test('a playbook contains its rules and the instructions, a page its text and version', async () => {
  const { base, cleo, ada, board } = server
  const { project_id } = board
  await ada['projects.set_playbook']({
    project_id,
    working_rules: 'Small steps.',
    definition_of_done: ['Tests pass', 'Docs agree'],
  })
  await ada['projects.set_instructions']({ project_id, custom_instruction: 'Answer in verse.' })
  const { page_id } = await cleo['pages.create']({
    ...{ ticket_number: 'HP-1', title: 'Colours', content: '## Red\n\nOr blue.' },
  })
  const client = await connectHttp(base, cleo)
  const playbook = await readText(client, 'corkboard://boards/HP/playbook')
  for (const part of ['Small steps.', '- Tests pass\n- Docs agree', 'Answer in verse.'])
    expect(playbook).toContain(part)
  const page = await readText(client, `corkboard://pages/${page_id}`)
  expect(page).toStartWith('# Colours\n')
  expect(page).toContain('[HP-1](corkboard://tasks/HP-1)')
  expect(page).toContain('Version: 1, by Cleo')
  expect(page).toEndWith('## Red\n\nOr blue.\n')
  await client.close()
})

test('an agent without pages:read neither lists nor reads pages', async () => {
  const { cleo } = server
  const { page_id } = await cleo['pages.create']({ ticket_number: 'HP-1', content: 'Hush' })
  const client = await clientWith(['projects:read', 'tasks:read', 'profile:read'])
  const { resourceTemplates } = await client.listResourceTemplates()
  expect(resourceTemplates.map(({ name }) => name)).toEqual([
    'board',
    'playbook',
    'task',
    'article',
  ])
  const reading = client.readResource({ uri: `corkboard://pages/${page_id}` })
  await expect(reading).rejects.toThrow('lacks the scope pages:read')
  expect(JSON.stringify(await reading.catch((error) => error.data))).not.toContain('Hush')
  await client.close()
})

test('without projects:read only tasks and the manual remain', async () => {
  const client = await clientWith(['tasks:read'])
  const { resources, pages } = await listAll(client)
  expect(pages).toBe(1)
  expect(new Set(resources.map(({ uri }) => uri.split('/')[2]))).toEqual(new Set(['manual']))
  expect(await readText(client, 'corkboard://tasks/HP-1')).not.toContain('Small steps.')
  await expect(client.readResource({ uri: 'corkboard://boards/HP' })).rejects.toThrow(
    'lacks the scope projects:read',
  )
  await client.close()
})

test('what the caller cannot see does not exist', async () => {
  const { base, otto, ada, cleo, team_id } = server
  const secret = await ada['projects.create']({
    ...{ team_id, title: 'Secret', access: 'invited', sections: [{ title: 'To do' }] },
  })
  await ada['tasks.create']({ project_id: secret.project_id, title: 'Hush' })
  const page = await ada['pages.create']({ ticket_number: 'SEC-1', content: 'Hush' })
  const uris = ['boards/SEC', 'boards/SEC/playbook', `boards/${secret.project_id}`, 'tasks/SEC-1']
  const member = await connectHttp(base, cleo)
  for (const path of [...uris, `pages/${page.page_id}`]) {
    const uri = `corkboard://${path}`
    const error = await member.readResource({ uri }).catch((reason) => reason)
    expect([path, error.code, error.data]).toEqual([path, -32602, { uri }])
    expect(error.message).not.toMatch(/Hush|Secret/)
  }
  expect(JSON.stringify(await listAll(member))).not.toMatch(/SEC|Secret/)
  await member.close()
  const stranger = await connectHttp(base, otto)
  expect(JSON.stringify(await listAll(stranger))).not.toContain('boards')
  await stranger.close()
})

test('a malformed address is refused with the forms there are', async () => {
  const client = await connectHttp(server.base, server.cleo)
  const read = (uri: string) => client.readResource({ uri }).catch((error) => error)
  for (const uri of [
    ...['corkboard://', 'corkboard://cards/HP-1', 'corkboard://tasks/', 'corkboard://tasks/a/b'],
    ...['https://example.com/tasks/HP-1', 'corkboard://tasks/%E0%A4%A', 'corkboard://tasks/%20'],
    ...['corkboard://tasks/HP-1?x=1', `corkboard://tasks/${'x'.repeat(600)}`],
  ]) {
    const error = await read(uri)
    expect([uri, error.code]).toEqual([uri, -32602])
    expect(error.message).toContain('The forms are corkboard://boards/{key}, ')
  }
  expect((await read('corkboard://pages/colours')).message).toContain('must be a whole number')
  expect((await read('corkboard://pages/99999999999')).code).toBe(-32602)
  expect((await read('corkboard://manual/agent')).message).toContain('Did you mean agents?')
  await expect(client.listResources({ cursor: 'nonsense' })).rejects.toThrow('cursor must be')
  await expect(client.listResources({ cursor: 'boards:zzz' })).rejects.toThrow('cursor must be')
  await client.close()
})

test('a list of many boards has pages, which contain each board once', async () => {
  const { base, team_id, addMember } = server
  const dora = await addMember(team_id, 'Dora', 'member')
  for (let i = 0; i < 60; i++) await createBoard(server, `Board ${i}`)
  const client = await connectHttp(base, dora)
  const { resources, pages } = await listAll(client)
  const boards = resources.map(({ uri }) => uri).filter((uri) => /boards\/B\d+$/.test(uri))
  expect(new Set(boards).size).toBe(60)
  expect(boards).toHaveLength(60)
  expect(pages).toBe(3)
  await client.close()
})

test('a long text is clipped to the budget, and says how to read the rest', async () => {
  const { base, cleo } = server
  const text = 'Überraschend große Schriften und Bilder. '.repeat(5000)
  const { page_id } = await cleo['pages.create']({
    ...{ ticket_number: 'HP-1', content: text, content_type: 'markdown' },
  })
  const task = { ticket_number: 'HP-2' }
  for (let i = 0; i < 25; i++)
    await cleo['comments.add']({ ...task, text: text.slice(0, 15_000), content_type: 'markdown' })
  const client = await connectHttp(base, cleo)
  const page = await readText(client, `corkboard://pages/${page_id}`)
  const call = `svc_pages {"action":"get","input":{"page_id":${page_id}},"response_format":"detailed"}`
  expect(page).toContain(`more characters; ${call} returns all`)
  const discussion = await readText(client, 'corkboard://tasks/HP-2')
  expect(discussion).toContain('svc_tasks {"action":"context"')
  for (const shown of [page, discussion]) expect(countTokens(shown)).toBeLessThan(MAX_TOKENS)
  await client.close()
})

test('the newest revision gets cache hints for lists, and none for contents', async () => {
  const { base, cleo, rpc, send } = server
  const revision = '2026-07-28'
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const result = async (method: string, params: object = {}, name = '') => {
    const headers = { 'mcp-protocol-version': revision, 'mcp-method': method, 'mcp-name': name }
    const response = await send('/mcp', cleo, rpc(method, { ...params, _meta }), headers)
    return (await response.json()).result
  }
  const uri = 'corkboard://boards/HP'
  for (const method of ['prompts/list', 'resources/templates/list', 'server/discover'])
    expect(await result(method)).toMatchObject({ ttlMs: 300_000, cacheScope: 'private' })
  expect(await result('resources/list')).toMatchObject({ ttlMs: 30_000, cacheScope: 'private' })
  expect(await result('resources/read', { uri }, uri)).toMatchObject({ ttlMs: 0 })
  const older = await connectHttp(base, cleo)
  expect(await older.listResources()).not.toHaveProperty('ttlMs')
  await older.close()
})
