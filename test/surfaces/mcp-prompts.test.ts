import { afterAll, beforeAll, expect, test } from 'bun:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { catalog } from '../../src/catalog.ts'
import { SCOPES, type Scope } from '../../src/kernel/caller.ts'
import { type AnyOperation, toArray } from '../../src/kernel/operation.ts'
import { PROMPTS } from '../../src/surfaces/mcp/prompts/index.ts'
import { claimTask } from '../support/fixtures.ts'
import { connectHttp, connectNewest, connectSse } from './mcp-client.ts'
import { startTestServer } from './test-server.ts'

const NAMES = ['triage', 'plan', 'stand-up', 'review', 'retrospective']
const MAX_TOKENS = 1500

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

type Connected = Awaited<ReturnType<typeof connectHttp>>

async function promptText(client: Connected, name: string, args: Record<string, string>) {
  const { messages } = await client.getPrompt({ name, arguments: args })
  expect(messages).toHaveLength(1)
  const [{ role, content }] = messages as [(typeof messages)[number]]
  expect(role).toBe('user')
  return (content as { text: string }).text
}

test('all transports list the same prompts, each with a required board', async () => {
  for (const connect of [connectHttp, connectSse, connectNewest]) {
    const client = (await connect(server.base, server.cleo)) as Connected
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(NAMES)
    for (const { name, arguments: args, title, description } of prompts) {
      expect([name, args?.[0]]).toMatchObject([name, { name: 'board', required: true }])
      expect(title && description).toBeString()
    }
    expect(await promptText(client, 'triage', { board: 'HP' })).toContain('HP-3')
    await client.close()
  }
})

test('a prompt contains the facts of the board, and ids that tools take', async () => {
  const { cleo, ada, tasks, board, sections, base } = server
  const { task_id } = tasks.copy
  await ada['tasks.update']({ task_id, due_date: '2026-11-18' })
  await ada['relations.create']({
    source_task_id: task_id,
    target_task_id: tasks.logo.task_id,
    relation_type: 'BlockedBy',
  })
  await ada['tasks.update']({ ...tasks.logo, section_id: sections.Review })
  const client = await connectHttp(base, cleo)
  const standUp = await promptText(client, 'stand-up', { board: 'hp' })
  expect(standUp).toContain('## Overdue (1)\n- HP-2 Write the copy · Next · due 2026-11-18')
  expect(standUp).toContain('## Blocked (1)\n- HP-2')
  expect(standUp).toMatch(/## In progress \(\d\), longest first\n- HP-1 Draw the logo · Review/)
  expect(standUp).toMatch(/## Done in the last 2 days \(1\)\n- HP-4 Buy the domain/)
  expect(standUp).toContain(`project_id ${board.project_id}`)
  const triage = await promptText(client, 'triage', { board: String(board.project_id) })
  expect(triage).toContain('## In Inbox (1)\n- HP-3 Mend the broken link · Inbox · Urgent')
  expect(triage).toContain(`Next (section_id ${sections.Next}, committed)`)
  const review = await promptText(client, 'review', { board: 'HP', task: 'HP-1' })
  expect(review).toContain('Review the task HP-1')
  const plan = await promptText(client, 'plan', { board: 'HP', goal: 'Go live', days: '5' })
  expect(plan).toContain('the next 5 days on the board HP. The goal: Go live')
  const retrospective = await promptText(client, 'retrospective', { board: 'HP' })
  expect(retrospective).toContain('## Pace')
  await client.close()
})

test('a prompt asks agents to hold a lease, and people not', async () => {
  const texts: Record<string, string> = {}
  for (const [name, actor] of [
    ['agent', server.bot],
    ['person', server.cleo],
  ] as const) {
    const client = await connectHttp(server.base, actor)
    texts[name] = await promptText(client, 'review', { board: 'HP' })
    await client.close()
  }
  expect(texts.agent).toContain('svc_tasks claim')
  expect(texts.agent).toContain('svc_tasks hand_over')
  expect(texts.person).not.toMatch(/claim|hand_over|lease/)
})

test('a prompt never has more than 1,500 tokens, however long the texts of the board are', async () => {
  const { ada, team_id, base } = server
  const words = 'Überraschend große Schriften — 見出しと本文、絵文字 🚧 and a\nline break '
  const sections = ['Inbox', 'To do', 'Doing', 'Review', 'Done', ...'ABCDEFGHIJ'].map((title) => ({
    title: title.length > 1 ? title : `${title} ${words.repeat(3)}`.slice(0, 200),
  }))
  const { project_id } = await ada['projects.create']({
    ...{ team_id, title: words.repeat(6).slice(0, 400), sections },
  })
  await ada['projects.set_playbook']({
    project_id,
    working_rules: words.repeat(200),
    definition_of_done: Array.from({ length: 60 }, (_, i) => `${i} ${words}`),
    notes: words.repeat(200),
  })
  const manifest = await ada['projects.manifest']({ project_id })
  for (const { section_id } of manifest.sections)
    for (let i = 0; i < 8; i++)
      await ada['tasks.create']({
        ...{ project_id, section_id, title: words.repeat(6).slice(0, 480), priority: 'Urgent' },
        due_date: '2026-11-01',
      })
  const client = await connectHttp(base, ada)
  for (const name of NAMES) {
    const goal: Record<string, string> =
      name === 'plan' ? { goal: words.repeat(6).slice(0, 500) } : {}
    const text = await promptText(client, name, { board: String(project_id), ...goal })
    expect([name, countTokens(text) <= MAX_TOKENS]).toEqual([name, true])
    expect(text).toContain('(section_id')
  }
  await client.close()
})

test('a prompt is listed only for those who may use every tool that it names', async () => {
  const { authenticateAs, cleo, base } = server
  const readOnly: Scope[] = ['projects:read', 'tasks:read', 'pages:read', 'profile:read']
  const cases: [Scope[], string[]][] = [
    [[...SCOPES], NAMES],
    [readOnly, ['stand-up']],
    [
      [...readOnly, 'tasks:write'],
      ['triage', 'stand-up', 'review'],
    ],
    [['tasks:read', 'tasks:write', 'pages:write'], []],
  ]
  for (const [scopes, expected] of cases) {
    const actor = await authenticateAs(cleo.caller.actor_id, 'key', scopes)
    const client = await connectHttp(base, actor)
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(expected)
    if (!expected.includes('retrospective'))
      await expect(
        client.getPrompt({ name: 'retrospective', arguments: { board: 'HP' } }),
      ).rejects.toThrow('may not use the prompt retrospective; it lacks')
    await client.close()
  }
})

test('wrong arguments are refused with an error that names the next step', async () => {
  const { base, cleo, otto, ada, team_id } = server
  await ada['projects.create']({
    ...{ team_id, title: 'Secret', access: 'invited', sections: [{ title: 'To do' }] },
  })
  const client = await connectHttp(base, cleo)
  const cases: [string, Record<string, string>, string][] = [
    ['tirage', { board: 'HP' }, 'There is no prompt tirage. Did you mean triage?'],
    ['triage', {}, 'board is required. Your boards: '],
    ['triage', { board: 'XX' }, 'There is no board XX that you can see. Your boards: '],
    ['triage', { board: 'SEC' }, 'There is no board SEC that you can see'],
    ['triage', { board: 'HP', days: '3' }, 'The prompt triage has no argument days'],
    ['stand-up', { board: 'HP', days: '31' }, 'days must be 1 to 30'],
    ['stand-up', { board: 'HP', days: 'two' }, 'days must be 1 to 30'],
    ['plan', { board: 'HP', goal: 'x'.repeat(501) }, 'goal can have at most 500 characters'],
    ['review', { board: 'HP', task: 'HP-99' }, 'There is no task HP-99 that you can see'],
  ]
  for (const [name, args, message] of cases)
    await expect(client.getPrompt({ name, arguments: args })).rejects.toThrow(message)
  await client.close()
  const stranger = await connectHttp(base, otto)
  await expect(stranger.getPrompt({ name: 'triage', arguments: { board: 'HP' } })).rejects.toThrow(
    'There is no board HP that you can see',
  )
  await stranger.close()
})

test('a prompt changes nothing', async () => {
  await claimTask(server.bot, server.tasks.copy)
  const before = (await server.changes()).length
  const client = await connectHttp(server.base, server.bot)
  for (const name of NAMES) await promptText(client, name, { board: 'HP' })
  await client.close()
  expect((await server.changes()).length).toBe(before)
})

test('a prompt declares exactly the actions that its steps name, and they exist', () => {
  const actions = (catalog as readonly AnyOperation[]).flatMap((op) => toArray(op.on.mcp))
  const input = { project_id: 1, key: 'HP', days: 7, goal: 'Go live', task: 'HP-1' }
  for (const prompt of PROMPTS) {
    const textFor = (isAgent: boolean) => prompt.steps({ ...input, isAgent }).join('\n')
    const text = textFor(true) + textFor(false)
    const named = [...text.matchAll(/(svc_\w+) (\w+)/g)].map(([, tool, verb]) => `${tool}.${verb}`)
    // The facts name it where they leave out tasks.
    const expected = new Set([...named, 'svc_tasks.list'])
    expect([prompt.name, ...new Set(prompt.actions)].toSorted() as string[]).toEqual(
      [prompt.name, ...expected].toSorted(),
    )
    expect(prompt.actions.filter((action) => !actions.includes(action))).toEqual([])
  }
})
