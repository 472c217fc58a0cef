import { expect, test } from 'bun:test'
import type { FakeKind } from '../support/code-host.ts'
import { approved, opened, pushed, SHA, sendEvent } from './host-events.ts'
import { type LinkedBoard, linkedBoard } from './linked-board.ts'

const PULL = { branch: 'hp-1-draw-the-logo' }
const NEXT = 'd'.repeat(40)

const linksOf = async ({ w }: LinkedBoard, task: { task_id: number }) =>
  (await w.ada['evidence.list']({ task_id: task.task_id, kind: 'link' })).items

test.each<FakeKind>(['github', 'forgejo', 'gitlab'])(
  'a commit pushed at %s is linked to the tasks in its message, once, with its pull request',
  async (kind) => {
    const board = await linkedBoard(kind)
    const { w } = board
    await sendEvent(board, kind, opened(kind, PULL))
    const event = pushed(kind, 'Fixes HP-2, not UTF-8\n\nAlso XX-3', NEXT, SHA)
    for (const _ of [1, 2]) {
      const { status, body } = await sendEvent(board, kind, event)
      expect([status, body.data.heard]).toEqual([200, true])
    }
    expect(await linksOf(board, w.tasks.copy)).toMatchObject([
      { summary: 'Commit ddddddd: Fixes HP-2, not UTF-8', url: expect.stringContaining(NEXT) },
    ])
    expect(await linksOf(board, w.tasks.link)).toEqual([])
    const { items } = await w.ada['pull_requests.list'](w.tasks.copy)
    expect(items).toMatchObject([{ state: 'open', branch: PULL.branch }])
    const task = await w.ada['tasks.get'](w.tasks.copy)
    expect(task).toMatchObject({ completed_at: null })
  },
)

test('an approval at GitLab shows on the task until it is undone', async () => {
  const board = await linkedBoard('gitlab')
  board.w.clock.advance(3600_000)
  const review = async (action: string, minute: number) => {
    const at = `2026-11-20 12:0${minute}:00 UTC`
    await sendEvent(board, 'gitlab', approved(PULL, action, at))
    const { items } = await board.w.ada['pull_requests.list'](board.w.tasks.logo)
    return items[0]?.review
  }
  await sendEvent(board, 'gitlab', opened('gitlab', PULL))
  expect(await review('approved', 1)).toBe('approved')
  expect(await review('update', 2)).toBe('approved')
  expect(await review('unapproved', 3)).toBe('none')
  expect(await review('approval', 4)).toBe('approved')
})
