import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { createServer } from '../../src/server/app.ts'
import { startCodeHosts } from '../../src/workers/code-hosts.ts'
import { waitForFollowers } from '../support/followers.ts'
import { waitUntil } from '../support/wait.ts'
import { type World, world } from '../support/world.ts'
import { startGitea } from './gitea.ts'

interface GiteaIssue {
  number: number
  title: string
  body: string
  state: string
  labels: { name: string }[] | null
}
interface GiteaComment {
  id: number
  body: string
}

const folder = mkdtempSync(join(tmpdir(), 'cork-gitea-'))
let gitea: Awaited<ReturnType<typeof startGitea>>
let bot = ''
let olga = ''

beforeAll(async () => {
  gitea = await startGitea(folder)
  bot = await gitea.addUser('corkbot', true)
  olga = await gitea.addUser('olga')
}, 900_000)

afterAll(async () => {
  await gitea?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** A board and a new repository that are linked, with the worker at work and webhooks delivered. */
async function linked(name: string) {
  const w = await world()
  w.clock.now = new Date()
  w.config.allowHosts.push('127.0.0.1')
  const listener = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => w.app.handle(request),
  })
  w.config.url = `http://127.0.0.1:${listener.port}`
  await gitea.api(bot, 'POST', '/user/repos', { name, auto_init: true })
  const { host_id } = await w.ada['code_hosts.create']({
    ...{ team_id: w.team_id, kind: 'forgejo', url: gitea.url, token: bot },
  })
  const { project_id } = w.board
  const link = { project_id, host_id, name: `corkbot/${name}` }
  const { webhook } = await w.ada['repositories.link'](link)
  expect(webhook).toBeNull()
  const { store, dispatch, config, key } = w
  const log = pino({ level: 'error' })
  const server = createServer({ config, key })
  const clock = () => new Date()
  const stop = startCodeHosts({ store, server, clock, log, dispatch, cycle: 100 })
  const ticking = setInterval(() => {
    w.clock.now = new Date()
    void waitForFollowers(w, 'issues').catch(() => undefined)
  }, 200)
  const path = `/repos/corkbot/${name}`
  const end = async () => {
    clearInterval(ticking)
    await stop()
    listener.stop(true)
  }
  return { w, path, project_id, end }
}

const taskNamed = async (w: World, title: string) => {
  const { items } = await w.ada['tasks.list']({ project_id: w.board.project_id, limit: 100 })
  return items.find((task) => task.title === title)
}

test('issues and comments of a real Gitea and tasks follow each other, without duplicates', async () => {
  const { w, path, project_id, end } = await linked('site')
  const { api } = gitea
  const opened = await api<GiteaIssue>(olga, 'POST', `${path}/issues`, {
    ...{ title: 'The gate squeaks', body: 'When it *opens*' },
  })
  const task = await waitUntil(() => taskNamed(w, 'The gate squeaks'))
  await w.ben['comments.add']({ task_id: task.task_id, text: 'Oil it.', content_type: 'markdown' })
  const comments = () => api<GiteaComment[]>(bot, 'GET', `${path}/issues/${opened.number}/comments`)
  await waitUntil(async () => (await comments()).length === 1)
  await api(olga, 'POST', `${path}/issues/${opened.number}/comments`, { body: 'With what?' })
  await waitUntil(async () => {
    const { items } = await w.ada['comments.list']({ task_id: task.task_id })
    return items.some(({ text }) => text === 'With what?')
  })
  const { task_id } = await w.ada['tasks.create']({
    ...{ project_id, title: 'Paint the fence', description: 'In **green**', labels: ['bug'] },
    content_type: 'markdown',
  })
  const issues = () => api<GiteaIssue[]>(bot, 'GET', `${path}/issues?state=all&type=issues`)
  const created = await waitUntil(async () =>
    (await issues()).find(({ title, labels }) => title === 'Paint the fence' && labels?.length),
  )
  expect(created.labels!.map(({ name }) => name)).toEqual(['bug'])
  await w.ada['tasks.update']({ task_id, section_id: w.sections.Done })
  await waitUntil(async () =>
    (await issues()).some(({ number, state }) => number === created.number && state === 'closed'),
  )
  await api(bot, 'PATCH', `${path}/issues/${opened.number}`, {
    state: 'closed',
    title: 'It squeaks',
  })
  await waitUntil(async () => Boolean((await taskNamed(w, 'It squeaks'))?.completed_at))
  await Bun.sleep(3000)
  expect(await issues()).toHaveLength(2)
  expect(await comments()).toHaveLength(2)
  const { items } = await w.ada['comments.list']({ task_id: task.task_id })
  expect(items).toHaveLength(2)
  await end()
}, 180_000)

test('a pull request of a real Gitea is linked to its task, with its review and its merge', async () => {
  const { w, path, project_id, end } = await linked('tools')
  const { api } = gitea
  await api(bot, 'PUT', `${path}/collaborators/olga`, { permission: 'write' })
  const { task_id, ticket_number } = await w.ada['tasks.create']({ project_id, title: 'A saw' })
  const branch = `${ticket_number.toLowerCase()}-a-saw`
  await api(olga, 'POST', `${path}/contents/saw.txt`, {
    ...{ content: btoa('A saw'), message: `${ticket_number}: a saw`, new_branch: branch },
  })
  const pull = await api<{ number: number }>(bot, 'POST', `${path}/pulls`, {
    ...{ title: `${ticket_number}: a saw`, head: branch, base: 'main' },
  })
  const pulls = async () => (await w.ada['pull_requests.list']({ task_id })).items
  await waitUntil(async () => (await pulls())[0]?.state === 'open')
  await api(olga, 'POST', `${path}/pulls/${pull.number}/reviews`, {
    ...{ event: 'APPROVED', body: 'Sharp' },
  })
  await waitUntil(async () => (await pulls())[0]?.review === 'approved')
  await api(bot, 'POST', `${path}/pulls/${pull.number}/merge`, { Do: 'merge' })
  await waitUntil(async () => (await pulls())[0]?.state === 'merged')
  expect((await pulls())[0]).toMatchObject({ branch, review: 'approved' })
  await end()
}, 180_000)
