import { describe, expect, test } from 'bun:test'
import { requestIssueOf } from '../../src/features/code/issues/model/index.ts'
import { withoutMark } from '../../src/features/code/issues/model/marks.ts'
import type { FakeIssue, FakeKind } from '../support/code-host.ts'
import { allPages, type LinkedBoard, linkedBoard, taskOf, tasksOf } from './linked-board.ts'

/** Ten thousand changes take about an hour on a busy machine. */
const LIMIT_MS = 4 * 3600_000
const isFull = process.env.CORK_TEST_FULL === '1'
const EVENTS = isFull ? 10_000 : 60
/** Of each side. With more, hardly any would be changed by both sides between two sweeps. */
const MAX_CREATED = 40
/** How many issues each sweep compares although nothing says that they changed. */
const RECHECKED = 10
const SEED = Number(process.env.CORK_TEST_SEED ?? 1)

/** A generator of random numbers below a limit, the same for each seed. */
function randomFrom(seed: number) {
  let state = seed
  return (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

type Random = ReturnType<typeof randomFrom>
const pick = <T>(random: Random, items: readonly T[]): T => items[random(items.length)]!

/** Numbers of issues whose events are under way: shuffled, repeated and lost. */
class Events {
  private readonly pending: number[] = []

  constructor(
    private readonly board: LinkedBoard,
    private readonly random: Random,
  ) {}

  add({ number }: FakeIssue) {
    const copies = pick(this.random, [0, 1, 1, 2])
    for (let copy = 0; copy < copies; copy++)
      this.pending.splice(this.random(this.pending.length + 1), 0, number)
  }

  async deliver() {
    const { w, linked } = this.board
    for (const number of this.pending.splice(0, this.random(4)))
      await w.store.write((tx) => requestIssueOf(tx, linked.repository_id, number, w.clock.now))
  }
}

async function changeHost({ repository }: LinkedBoard, random: Random, events: Events, at: number) {
  const author = pick(random, repository.users)
  const open = repository.issues
  const issue =
    !open.length || (random(8) === 0 && open.length < 2 * MAX_CREATED)
      ? repository.open(author, `Issue ${at}`, `Text ${at}`)
      : pick(random, open)
  const kind = random(7)
  if (kind === 0) repository.change(issue, { title: `Host title ${at}` })
  if (kind === 1) repository.change(issue, { text: `Host text ${at}` })
  if (kind === 2) repository.change(issue, { isClosed: !issue.isClosed })
  if (kind === 3) repository.change(issue, { labels: random(2) ? ['bug'] : ['bug', `l${at % 5}`] })
  if (kind === 4) repository.comment(issue, author, `Host comment ${at}`)
  const [first] = issue.comments
  if (kind === 5 && first)
    Object.assign(first, { text: `Edited ${at}`, updatedAt: repository.clock() })
  if (kind === 6 && first) issue.comments.shift()
  events.add(issue)
}

async function changeBoard(board: LinkedBoard, random: Random, at: number) {
  const { w, project_id } = board
  const tasks = (await tasksOf(board)).filter(({ created_at }) => created_at > START)
  if (!tasks.length || (random(8) === 0 && tasks.length < 2 * MAX_CREATED)) {
    await w.ada['tasks.create']({ project_id, title: `Task ${at}`, description: `Text *${at}*` })
    return
  }
  const { task_id } = pick(random, tasks)
  const kind = random(6)
  if (kind === 0) await w.ada['tasks.update']({ task_id, title: `Board title ${at}` })
  if (kind === 1) await w.ben['tasks.update']({ task_id, description: `Board **${at}**` })
  const section_id = random(2) ? w.sections.Done : w.sections.Doing
  if (kind === 2) await w.ada['tasks.update']({ task_id, section_id })
  if (kind === 3) await w.ada['tasks.update']({ task_id, labels: random(2) ? ['ui'] : [] })
  if (kind === 4) await w.ben['comments.add']({ task_id, text: `Board comment ${at}` })
  const { items } = await w.ben['comments.list']({ task_id })
  const own = items.find(({ author }) => author?.name === 'Ben')
  if (kind === 5 && own?.comment_id)
    await (random(2)
      ? w.ben['comments.update']({ comment_id: own.comment_id, text: `Board edit ${at}` })
      : w.ben['comments.delete']({ comment_id: own.comment_id }))
}

const START = '2026-11-20T12:00:00.500Z'
const lines = (texts: string[]) => texts.map((text) => withoutMark(text).trim()).sort()

async function expectEqual(board: LinkedBoard) {
  const { w, repository } = board
  const tasks = (await tasksOf(board)).filter(({ created_at }) => created_at > START)
  expect(tasks.map(({ title }) => title).sort()).toEqual(
    repository.issues.map(({ title }) => title).sort(),
  )
  for (const issue of repository.issues) {
    const [row] = tasks.filter(({ title }) => title === issue.title)
    const task = await taskOf(board, row!.task_id, 'markdown')
    const of = { task_id: task.task_id, format: 'markdown' as const }
    const comments = await allPages((page) => w.ada['comments.list']({ ...of, ...page }))
    expect({
      isClosed: task.completed_at !== null,
      text: task.description?.trim() ?? '',
      labels: task.labels.map(({ name }) => name).sort(),
      comments: lines(comments.map(({ text }) => text ?? '')),
    }).toEqual({
      isClosed: issue.isClosed,
      text: withoutMark(issue.text).trim(),
      labels: [...issue.labels].sort(),
      comments: lines(issue.comments.map(({ text }) => text)),
    })
  }
}

/** Answers get lost after the host has acted, as when a server is killed at that moment. */
function loseAnswers({ repository }: LinkedBoard, random: Random) {
  repository.lose = ({ method }) =>
    method !== 'GET' && random(6) === 0 ? new Response('gone', { status: 502 }) : undefined
}

async function runEvents(board: LinkedBoard, random: Random, count: number) {
  const { w, repository, sync } = board
  const events = new Events(board, random)
  repository.addUser('olga', false)
  repository.addUser('ben', true)
  for (let at = 0; at < count; at++) {
    w.clock.advance(random(30_000))
    await (random(2) ? changeHost(board, random, events, at) : changeBoard(board, random, at))
    await events.deliver()
    if (random(3) === 0) await sync()
  }
}

describe.each<FakeKind>(['forgejo', 'github', 'gitlab'])('with %s', (kind) => {
  test(
    'board and host agree after random changes, whatever happened to events and answers',
    async () => {
      const random = randomFrom(SEED + kind.length)
      const board = await linkedBoard(kind)
      loseAnswers(board, random)
      await runEvents(board, random, EVENTS)
      board.repository.lose = () => undefined
      const sweeps = 8 + board.repository.issues.length / RECHECKED
      for (let swept = 0; swept < sweeps; swept++) {
        board.w.clock.advance(60 * 60_000)
        await board.sweep()
      }
      expect(board.errors).toEqual([])
      await expectEqual(board)
      const before = board.repository.requests.filter((one) => !one.startsWith('GET')).length
      await board.sweep()
      await board.sweep()
      const after = board.repository.requests.filter((one) => !one.startsWith('GET')).length
      expect(after - before, 'nothing echoes').toBe(0)
    },
    LIMIT_MS,
  )
})
