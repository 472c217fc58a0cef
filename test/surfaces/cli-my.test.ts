import { afterAll, expect, test } from 'bun:test'
import { removeTemporaryFolders, terminal } from '../support/terminal.ts'
import { world } from '../support/world.ts'

afterAll(removeTemporaryFolders)

test('cork my without a verb lists your tasks and takes the flags of cork my list', async () => {
  const w = await world()
  const { cork } = terminal(w, w.cleo)
  const { project_id } = w.board
  const assignee_ids = [w.cleo.caller.actor_id]
  for (const [title, priority] of [
    ['Sort the mail', 1],
    ['Feed the cat', 4],
  ] as const)
    await w.cleo['tasks.create']({ project_id, title, priority, assignee_ids })
  const allTasks = await cork('my')
  expect(allTasks).toMatchObject({ code: 0, err: '' })
  expect(allTasks.out).toContain('Sort the mail')
  expect(allTasks.out).toContain('Feed the cat')
  expect(allTasks.out).toBe((await cork('my', 'list')).out)
  const { out } = await cork('my', '--priority', 'urgent')
  expect(out).toContain('Sort the mail')
  expect(out).not.toContain('Feed the cat')
  expect((await cork('my', '--help')).out).toContain('my add <title>')
  expect(await cork('my', 'lst')).toMatchObject({ code: 2 })
})
