import { expect, test } from 'bun:test'
import { waitUntil } from '../support/wait.ts'
import { world } from '../support/world.ts'
import {
  assign,
  commentsOf,
  createNativeAgent,
  leaseOf,
  logo,
  mention,
  nativeAgentHost,
  readTask,
  transcriptOf,
  waitForRun,
} from './natives.ts'

const slowAnswer = { text: 'Let me think about that for a very long time.', chunkDelayMs: 2000 }

test('of several servers exactly one starts a run', async () => {
  const w = await world()
  const nia = await createNativeAgent(w)
  const { service, startServer } = nativeAgentHost(w)
  service.play((request) =>
    request.toolResults.length
      ? { text: 'Done.' }
      : { calls: [{ tool: 'comments_add', input: { ...logo, text: 'Once.' } }] },
  )
  for (let server = 0; server < 4; server++) startServer()
  await assign(w, nia)
  const run = await waitForRun(w, 'done')
  await Bun.sleep(300)
  expect(service.requests).toHaveLength(2)
  expect(await commentsOf(w)).toHaveLength(1)
  expect((await transcriptOf(w, run.run_id)).at(-1)).toBe('message: Done.')
  const started = (await w.changeTypes()).filter((type) => type === 'run.started')
  expect(started).toHaveLength(1)
})

test('a run on a server that shuts down is continued by the next server, without repeated work', async () => {
  const w = await world()
  const nia = await createNativeAgent(w)
  const { service, startServer } = nativeAgentHost(w)
  service.play((_, at) =>
    at === 0
      ? { calls: [{ tool: 'comments_add', input: { ...logo, text: 'Half.' } }] }
      : at === 1
        ? slowAnswer
        : { text: 'Whole.' },
  )
  const stop = startServer()
  await assign(w, nia)
  await waitUntil(() => service.requests.length === 2)
  await stop()
  expect((await waitForRun(w, 'running')).last_entry).toContain('The server is stopping')
  expect(await leaseOf(w)).toBeNull()
  startServer()
  const run = await waitForRun(w, 'done')
  expect(run.summary).toBe('Whole.')
  expect(service.requests.at(-1)!.userText).toContain('Half.')
  expect(await commentsOf(w)).toHaveLength(1)
})

test('a run on a server that disappears is resumed up to three times and then fails', async () => {
  const w = await world()
  const nia = await createNativeAgent(w)
  const { service, startServer } = nativeAgentHost(w)
  service.play(() => slowAnswer)
  const stops: (() => Promise<void>)[] = []
  await assign(w, nia)
  for (let server = 0; server < 4; server++) {
    stops.push(startServer())
    await waitUntil(() => service.requests.length === server + 1)
    expect((await waitForRun(w, 'running')).state).toBe('running')
    // The server does not report for 61 seconds, as after a power failure.
    w.clock.advance(61_000)
  }
  stops.push(startServer())
  const run = await waitForRun(w, 'failed')
  expect(run.summary).toContain('The server stopped 3 times')
  const lines = (await transcriptOf(w, run.run_id)).filter((line) =>
    line.includes('server stopped'),
  )
  expect(lines).toHaveLength(3)
  // The earlier servers no longer own the run, so they add nothing to its transcript.
  await waitUntil(() => service.droppedAnswers.count >= 4)
  expect((await waitForRun(w, 'failed')).entry_count).toBe(run.entry_count)
})

test('a native agent without write scopes can read its task, but not change it or comment', async () => {
  const w = await world()
  const nia = await createNativeAgent(w, { scopes: ['tasks:read', 'projects:read'] })
  const { service, startServer } = nativeAgentHost(w)
  const toolResults: string[] = []
  service.play((request, at) => {
    toolResults.push(...request.toolResults)
    if (at > 0) return { text: 'I only read.' }
    return {
      calls: [
        { tool: 'tasks_get', input: logo },
        { tool: 'tasks_update', input: { ...logo, priority: 'Urgent' } },
        { tool: 'comments_add', input: { ...logo, text: 'No.' } },
      ],
    }
  })
  await assign(w, nia)
  const taskBefore = await readTask(w)
  startServer()
  expect(await waitForRun(w, 'done')).toMatchObject({ summary: 'I only read.' })
  expect(service.requests[0]!.tools).not.toContain('tasks_update')
  expect(await readTask(w)).toEqual(taskBefore)
  expect(await commentsOf(w)).toEqual([])
})

test('a task on a board that a native agent cannot see is not found for it', async () => {
  const w = await world()
  const { project_id } = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Secret', access: 'invited' },
    sections: [{ title: 'To do' }, { title: 'Done', is_done: true }],
  })
  const { ticket_number } = await w.ada['tasks.create']({ project_id, title: 'Hush' })
  const nia = await createNativeAgent(w)
  const { service, startServer } = nativeAgentHost(w)
  const toolResults: string[] = []
  service.play((request, at) => {
    toolResults.push(...request.toolResults)
    return at > 0
      ? { text: 'Nothing there.' }
      : { calls: [{ tool: 'tasks_get', input: { ticket_number } }] }
  })
  await assign(w, nia)
  startServer()
  await waitForRun(w, 'done')
  expect(toolResults.join()).toContain('Not found')
  expect(toolResults.join()).not.toContain('Hush')
})

const release = {
  ...{ scope: 'project' as const, name: 'Release notes', slug: 'release-notes' },
  ...{ description: 'How we write them', body: 'Begin each line with a verb.' },
}

test('a skill named with a mention is added to the prompt with its whole body', async () => {
  const w = await world()
  await w.ada['skills.create']({ ...release, project_id: w.board.project_id })
  const nia = await createNativeAgent(w)
  const { service, startServer } = nativeAgentHost(w)
  service.play([{ text: 'Written.' }])
  await mention(w, nia, 'please write @release-notes')
  startServer()
  const run = await waitForRun(w, 'done')
  expect(run.prompt).toContain('(@release-notes is the skill Release notes)')
  expect(service.requests[0]!.userText).toContain('Begin each line with a verb.')
  expect(service.requests[0]!.system).toContain('release-notes: How we write them')
  const [mentionChange] = (await w.changes()).filter(({ type }) => type === 'comment.mention')
  expect(mentionChange!.data.skills).toEqual([{ slug: 'release-notes', name: 'Release notes' }])
})

test('an agent with a token gets the slug and name of a skill in a comment, but not its body', async () => {
  const w = await world()
  await w.ada['skills.create']({ ...release, project_id: w.board.project_id })
  const bot = { agent_id: w.bot.caller.agent_id!, name: 'Bot' }
  nativeAgentHost(w)
  await w.bot['messages.list']({})
  await mention(w, bot, 'please write @release-notes')
  const { items } = await w.bot['messages.list']({})
  expect(items.find(({ type }) => type === 'comment.mention')!.data).toMatchObject({
    skills: [{ slug: 'release-notes', name: 'Release notes' }],
  })
  const { prompt } = await waitForRun(w, 'queued')
  expect(prompt).toContain('(@release-notes is the skill Release notes)')
  expect(prompt).not.toContain('Begin each line with a verb.')
})

test('a skill named without an agent calls the only native agent, or the one that is assigned', async () => {
  const w = await world()
  await w.ada['skills.create']({ ...release, project_id: w.board.project_id })
  const nia = await createNativeAgent(w)
  const { service, startServer } = nativeAgentHost(w)
  service.play(() => ({ text: 'Written.' }))
  const comment = (text: string) =>
    w.ben['comments.add']({ ...logo, text, content_type: 'markdown' })
  startServer()
  await comment('Nobody reads @unknown-words')
  await comment('@release-notes please')
  expect(await waitForRun(w, 'done')).toMatchObject({ agent: { name: 'Nia' }, origin: 'mentioned' })
  expect(service.requests).toHaveLength(1)
  // With two native agents, the skill calls only the one that is assigned.
  const max = await createNativeAgent(w, { name: 'Max' })
  await comment('@release-notes again')
  await Bun.sleep(400)
  expect(service.requests).toHaveLength(1)
  await assign(w, max)
  await waitUntil(() => service.requests.length === 2)
  await waitForRun(w, 'done')
  await comment('@release-notes at last')
  await waitUntil(() => service.requests.length === 3)
  const agents = (await w.ada['runs.list'](logo)).items.map(({ agent }) => agent.name)
  expect(agents).toEqual(['Max', 'Max', 'Nia'])
  expect(nia.name).toBe('Nia')
})

test('two agents that mention each other stop after five calls each', async () => {
  const w = await world()
  const nia = await createNativeAgent(w)
  const max = await createNativeAgent(w, { name: 'Max' })
  const { service, startServer } = nativeAgentHost(w)
  service.play((request) => {
    if (request.toolResults.length) return { text: 'Said.' }
    const [name, agent_id] = request.system.includes('You are Nia')
      ? ['Max', max.agent_id]
      : ['Nia', nia.agent_id]
    const mentions = [{ agent_id, display_name: name }]
    return {
      calls: [{ tool: 'comments_add', input: { ...logo, text: `@${name} and you?`, mentions } }],
    }
  })
  startServer()
  await mention(w, nia, 'talk to Max')
  // The run of one agent waits while the other agent holds the lease.
  const countComments = async () => {
    w.clock.advance(100)
    return (await commentsOf(w)).length
  }
  // One comment by Ben, one reply by Nia, and then each agent is called five times.
  await waitUntil(async () => (await countComments()) === 12)
  for (let tries = 0; tries < 30; tries++) {
    expect(await countComments()).toBe(12)
    await Bun.sleep(20)
  }
  expect((await w.ada['runs.list'](logo)).items.every(({ state }) => state === 'done')).toBe(true)
})
