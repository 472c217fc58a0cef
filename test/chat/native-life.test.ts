import { expect, test } from 'bun:test'
import { world } from '../world.ts'
import {
  assign,
  commentsOf,
  leaseOf,
  linesOf,
  logo,
  mention,
  native,
  office,
  ran,
  rowOf,
  until,
} from './natives.ts'

const slow = { text: 'Let me think about that for a very long time.', slowMs: 2000 }

test('of several servers exactly one starts a run', async () => {
  const w = await world()
  const nia = await native(w)
  const { service, opened } = office(w)
  service.play((asked) =>
    asked.told.length
      ? { text: 'Done.' }
      : { calls: [{ tool: 'comments_add', input: { ...logo, text: 'Once.' } }] },
  )
  for (let server = 0; server < 4; server++) opened()
  await assign(w, nia)
  const run = await ran(w, 'done')
  await Bun.sleep(300)
  expect(service.asked).toHaveLength(2)
  expect(await commentsOf(w)).toHaveLength(1)
  expect((await linesOf(w, run.run_id)).at(-1)).toBe('message: Done.')
  const started = (await w.emitted()).filter((type) => type === 'run.started')
  expect(started).toHaveLength(1)
})

test('a run on a server that shuts down is continued by the next server, without repeated work', async () => {
  const w = await world()
  const nia = await native(w)
  const { service, opened } = office(w)
  service.play((_, at) =>
    at === 0
      ? { calls: [{ tool: 'comments_add', input: { ...logo, text: 'Half.' } }] }
      : at === 1
        ? slow
        : { text: 'Whole.' },
  )
  const stop = opened()
  await assign(w, nia)
  await until(() => service.asked.length === 2)
  await stop()
  expect((await ran(w, 'running')).last_entry).toContain('The server is stopping')
  expect(await leaseOf(w)).toBeNull()
  opened()
  const run = await ran(w, 'done')
  expect(run.summary).toBe('Whole.')
  expect(service.asked.at(-1)!.said).toContain('Half.')
  expect(await commentsOf(w)).toHaveLength(1)
})

test('a run on a server that disappears is resumed up to three times and then fails', async () => {
  const w = await world()
  const nia = await native(w)
  const { service, opened } = office(w)
  service.play(() => slow)
  const stops: (() => Promise<void>)[] = []
  await assign(w, nia)
  for (let server = 0; server < 4; server++) {
    stops.push(opened())
    await until(() => service.asked.length === server + 1)
    expect((await ran(w, 'running')).state).toBe('running')
    // No sign of the server for 61 seconds, as after a power failure.
    w.clock.pass(61_000)
  }
  stops.push(opened())
  const run = await ran(w, 'failed')
  expect(run.summary).toContain('Interrupted 3 times')
  const lines = (await linesOf(w, run.run_id)).filter((line) => line.includes('went away'))
  expect(lines).toHaveLength(3)
  // Servers that come back have lost the run and add nothing to its transcript.
  await until(() => service.dropped.count >= 4)
  expect((await ran(w, 'failed')).entry_count).toBe(run.entry_count)
})

test('a native agent without write scopes can read its task, but not change it or comment', async () => {
  const w = await world()
  const nia = await native(w, { scopes: ['tasks:read', 'projects:read'] })
  const { service, opened } = office(w)
  const heard: string[] = []
  service.play((asked, at) => {
    heard.push(...asked.told)
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
  const before = await rowOf(w)
  opened()
  expect(await ran(w, 'done')).toMatchObject({ summary: 'I only read.' })
  expect(service.asked[0]!.tools).not.toContain('tasks_update')
  expect(await rowOf(w)).toEqual(before)
  expect(await commentsOf(w)).toEqual([])
})

test('a task on a board that a native agent cannot see is not found for it', async () => {
  const w = await world()
  const { project_id } = await w.ada['projects.create']({
    ...{ team_id: w.team_id, title: 'Secret', access: 'invited' },
    sections: [{ title: 'To do' }, { title: 'Done', is_done: true }],
  })
  const { ticket_number } = await w.ada['tasks.create']({ project_id, title: 'Hush' })
  const nia = await native(w)
  const { service, opened } = office(w)
  const heard: string[] = []
  service.play((asked, at) => {
    heard.push(...asked.told)
    return at > 0
      ? { text: 'Nothing there.' }
      : { calls: [{ tool: 'tasks_get', input: { ticket_number } }] }
  })
  await assign(w, nia)
  opened()
  await ran(w, 'done')
  expect(heard.join()).toContain('Not found')
  expect(heard.join()).not.toContain('Hush')
})

const release = {
  ...{ scope: 'project' as const, name: 'Release notes', slug: 'release-notes' },
  ...{ description: 'How we write them', body: 'Begin each line with a verb.' },
}

test('a skill named with a mention is added to the prompt with its whole body', async () => {
  const w = await world()
  await w.ada['skills.create']({ ...release, project_id: w.board.project_id })
  const nia = await native(w)
  const { service, opened } = office(w)
  service.play([{ text: 'Written.' }])
  await mention(w, nia, 'please write @release-notes')
  opened()
  const run = await ran(w, 'done')
  expect(run.prompt).toContain('(@release-notes is the skill Release notes)')
  expect(service.asked[0]!.said).toContain('Begin each line with a verb.')
  expect(service.asked[0]!.system).toContain('release-notes: How we write them')
  const [told] = (await w.changes()).filter(({ type }) => type === 'comment.mention')
  expect(told!.data.skills).toEqual([{ slug: 'release-notes', name: 'Release notes' }])
})

test('an agent with a token gets the slug and name of a skill in a comment, but not its body', async () => {
  const w = await world()
  await w.ada['skills.create']({ ...release, project_id: w.board.project_id })
  const bot = { agent_id: w.bot.caller.agent_id!, name: 'Bot' }
  office(w)
  await w.bot['messages.list']({})
  await mention(w, bot, 'please write @release-notes')
  const { items } = await w.bot['messages.list']({})
  expect(items.find(({ type }) => type === 'comment.mention')!.data).toMatchObject({
    skills: [{ slug: 'release-notes', name: 'Release notes' }],
  })
  const { prompt } = await ran(w, 'queued')
  expect(prompt).toContain('(@release-notes is the skill Release notes)')
  expect(prompt).not.toContain('Begin each line with a verb.')
})

test('a skill named without an agent calls the only native agent, or the one that is assigned', async () => {
  const w = await world()
  await w.ada['skills.create']({ ...release, project_id: w.board.project_id })
  const nia = await native(w)
  const { service, opened } = office(w)
  service.play(() => ({ text: 'Written.' }))
  const say = (text: string) => w.ben['comments.add']({ ...logo, text, content_type: 'markdown' })
  opened()
  await say('Nobody reads @unknown-words')
  await say('@release-notes please')
  expect(await ran(w, 'done')).toMatchObject({ agent: { name: 'Nia' }, origin: 'mentioned' })
  expect(service.asked).toHaveLength(1)
  // With two native agents, the skill calls only the one that is assigned.
  const max = await native(w, { name: 'Max' })
  await say('@release-notes again')
  await Bun.sleep(400)
  expect(service.asked).toHaveLength(1)
  await assign(w, max)
  await until(() => service.asked.length === 2)
  await ran(w, 'done')
  await say('@release-notes at last')
  await until(() => service.asked.length === 3)
  const agents = (await w.ada['runs.list'](logo)).items.map(({ agent }) => agent.name)
  expect(agents).toEqual(['Max', 'Max', 'Nia'])
  expect(nia.name).toBe('Nia')
})

test('two agents that mention each other stop after five calls each', async () => {
  const w = await world()
  const nia = await native(w)
  const max = await native(w, { name: 'Max' })
  const { service, opened } = office(w)
  service.play((asked) => {
    if (asked.told.length) return { text: 'Said.' }
    const [name, agent_id] = asked.system.includes('You are Nia')
      ? ['Max', max.agent_id]
      : ['Nia', nia.agent_id]
    const mentions = [{ agent_id, display_name: name }]
    return {
      calls: [{ tool: 'comments_add', input: { ...logo, text: `@${name} and you?`, mentions } }],
    }
  })
  opened()
  await mention(w, nia, 'talk to Max')
  // While one agent holds the task, the run of the other waits.
  const many = async () => {
    w.clock.pass(100)
    return (await commentsOf(w)).length
  }
  // The comment of Ben, the reply of Nia, and then five calls of each by the other.
  await until(async () => (await many()) === 12)
  for (let tries = 0; tries < 30; tries++) {
    expect(await many()).toBe(12)
    await Bun.sleep(20)
  }
  expect((await w.ada['runs.list'](logo)).items.every(({ state }) => state === 'done')).toBe(true)
})
