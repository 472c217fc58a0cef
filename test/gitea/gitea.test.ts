import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { withoutMark } from '../../src/features/code/issues/model/marks.ts'
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

const SEED = Number(process.env.CORK_TEST_SEED ?? 1)
const EDITS = 24

/** A generator of random numbers below a limit, the same for each seed. */
function randomFrom(seed: number) {
  let state = seed
  return (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

type LinkedGitea = Awaited<ReturnType<typeof linked>>

const issuesOf = ({ path }: LinkedGitea) =>
  gitea.api<GiteaIssue[]>(bot, 'GET', `${path}/issues?state=all&type=issues`)

const tasksOf = async ({ w, project_id }: LinkedGitea) =>
  (await w.ada['tasks.list']({ project_id, query: 'item' })).items

/** Both sides as they should be the same: title, text, state, labels and comments. */
async function statesOf(board: LinkedGitea) {
  const { w, path } = board
  const atHost = await Promise.all(
    (await issuesOf(board)).map(async ({ number, title, body, state, labels }) => {
      const comments = `${path}/issues/${number}/comments`
      return {
        ...{ title, text: withoutMark(body).trim(), isClosed: state === 'closed' },
        labels: (labels ?? []).map(({ name }) => name).sort(),
        comments: (await gitea.api<GiteaComment[]>(bot, 'GET', comments))
          .map(({ body: text }) => withoutMark(text).trim())
          .sort(),
      }
    }),
  )
  const onBoard = await Promise.all(
    (await tasksOf(board)).map(async ({ task_id, title, completed_at, labels }) => {
      const task = await w.ada['tasks.get']({ task_id, format: 'markdown' })
      const { items } = await w.ada['comments.list']({ task_id, format: 'markdown' })
      return {
        ...{ title, isClosed: completed_at !== null },
        text: String('description' in task ? (task.description ?? '') : '').trim(),
        labels: labels.map(({ name }) => name).sort(),
        comments: items.map(({ text }) => (text ?? '').trim()).sort(),
      }
    }),
  )
  const byTitle = (a: { title: string }, b: { title: string }) => a.title.localeCompare(b.title)
  return { onBoard: onBoard.sort(byTitle), atHost: atHost.sort(byTitle) }
}

async function editAtGitea(board: LinkedGitea, random: (limit: number) => number, at: number) {
  const { path } = board
  const open = await issuesOf(board)
  const issue = open[random(open.length)]
  if (!issue || random(4) === 0) {
    const draft = { title: `item ${at}`, body: `Text *${at}*` }
    return gitea.api(olga, 'POST', `${path}/issues`, draft)
  }
  const of = `${path}/issues/${issue.number}`
  const state = issue.state === 'open' ? 'closed' : 'open'
  return [
    () => gitea.api(bot, 'PATCH', of, { title: `item ${issue.number} renamed ${at}` }),
    () => gitea.api(bot, 'PATCH', of, { body: `Another text ${at}` }),
    () => gitea.api(bot, 'PATCH', of, { state }),
    () => gitea.api(olga, 'POST', `${of}/comments`, { body: `Comment ${at}` }),
  ][random(4)]!()
}

async function editOnBoard(board: LinkedGitea, random: (limit: number) => number, at: number) {
  const { w, project_id } = board
  const tasks = await tasksOf(board)
  const task = tasks[random(tasks.length)]
  if (!task || random(4) === 0) {
    const draft = { title: `item ${at}`, description: `Text *${at}*` }
    return w.ada['tasks.create']({ project_id, ...draft, content_type: 'markdown' })
  }
  const { task_id } = task
  const section_id = task.completed_at === null ? w.sections.Done : w.sections.Doing
  const text = { description: `Board **${at}**`, content_type: 'markdown' as const }
  return [
    () => w.ada['tasks.update']({ task_id, title: `item of ${task_id} renamed ${at}` }),
    () => w.ben['tasks.update']({ task_id, ...text }),
    () => w.ada['tasks.update']({ task_id, section_id }),
    () => w.ada['tasks.update']({ task_id, labels: random(2) ? ['bug'] : [] }),
    () => w.ben['comments.add']({ task_id, text: `Comment ${at}`, content_type: 'markdown' }),
  ][random(5)]!()
}

test('a real Gitea and a board are the same after random edits on both sides', async () => {
  const board = await linked('shed')
  const random = randomFrom(SEED)
  for (let at = 0; at < EDITS; at++)
    await (random(2) ? editAtGitea(board, random, at) : editOnBoard(board, random, at))
  let states = await statesOf(board)
  const isSame = async () => {
    states = await statesOf(board)
    return Bun.deepEquals(states.onBoard, states.atHost)
  }
  // After the limit, the comparison below shows the difference.
  await waitUntil(isSame).catch(() => undefined)
  expect(states.onBoard).toEqual(states.atHost)
  expect(states.onBoard.length).toBeGreaterThan(2)
  await board.end()
}, 240_000)

test('a pull request of a real Gitea is linked to its task, with its review, its checks and its merge', async () => {
  const { w, path, project_id, end } = await linked('tools')
  const { api } = gitea
  await api(bot, 'PUT', `${path}/collaborators/olga`, { permission: 'write' })
  const { task_id, ticket_number } = await w.ada['tasks.create']({ project_id, title: 'A saw' })
  const branch = `${ticket_number.toLowerCase()}-a-saw`
  await api(olga, 'POST', `${path}/contents/saw.txt`, {
    ...{ content: btoa('A saw'), message: `${ticket_number}: a saw`, new_branch: branch },
  })
  const pull = await api<{ number: number; head: { sha: string } }>(bot, 'POST', `${path}/pulls`, {
    ...{ title: `${ticket_number}: a saw`, head: branch, base: 'main' },
  })
  const pulls = async () => (await w.ada['pull_requests.list']({ task_id })).items
  await waitUntil(async () => (await pulls())[0]?.state === 'open')
  await api(olga, 'POST', `${path}/pulls/${pull.number}/reviews`, {
    ...{ event: 'APPROVED', body: 'Sharp' },
  })
  await waitUntil(async () => (await pulls())[0]?.review === 'approved')
  const status = { context: 'build', state: 'success', target_url: `${gitea.url}/build/1` }
  await api(bot, 'POST', `${path}/statuses/${pull.head.sha}`, status)
  await waitUntil(async () => (await pulls())[0]?.checks === 'passing')
  await api(bot, 'POST', `${path}/pulls/${pull.number}/merge`, { Do: 'merge' })
  await waitUntil(async () => (await pulls())[0]?.state === 'merged')
  expect((await pulls())[0]).toMatchObject({ branch, review: 'approved', checks: 'passing' })
  await end()
}, 180_000)
