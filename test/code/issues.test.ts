import { describe, expect, test } from 'bun:test'
import type { FakeKind } from '../support/code-host.ts'
import { linkedBoard, taskOf, tasksOf } from './linked-board.ts'

const KINDS: FakeKind[] = ['forgejo', 'github', 'gitlab']

describe.each(KINDS)('with %s', (kind) => {
  test('open issues become tasks when the repository is linked, with author and comments', async () => {
    const board = await linkedBoard(kind, {
      before(repository) {
        const olga = repository.addUser('olga', false)
        const issue = repository.open(olga, 'The fence leaks paint', 'Since *yesterday*', ['bug'])
        repository.comment(issue, olga, 'It is green')
        repository.open(olga, 'Closed long ago').isClosed = true
      },
    })
    const { w, errors } = board
    const tasks = await tasksOf(board)
    const task = tasks.find(({ title }) => title === 'The fence leaks paint')!
    expect(task).toMatchObject({ labels: [expect.objectContaining({ name: 'bug' })] })
    const { description, created_by } = await taskOf(board, task.task_id)
    expect(description).toBe('Since *yesterday*')
    expect(created_by).toMatchObject({ name: 'olga' })
    const { items } = await w.ada['comments.list']({ task_id: task.task_id })
    expect(items).toMatchObject([{ text: 'It is green', author: { name: 'olga' } }])
    expect(tasks.some(({ title }) => title === 'Closed long ago')).toBe(false)
    expect(errors).toEqual([])
  })

  test('a new task becomes an issue, and later changes of both sides reach the other', async () => {
    const board = await linkedBoard(kind)
    const { w, repository, project_id, sync, sweep } = board
    const { task_id } = await w.ada['tasks.create']({
      ...{ project_id, title: 'Paint the gate', description: 'In **green**' },
      content_type: 'markdown',
    })
    await sync()
    const issue = repository.issues[0]!
    expect(issue).toMatchObject({ title: 'Paint the gate', isClosed: false })
    expect(issue.text).toStartWith('In **green**\n\n<!-- corkboard ')
    w.clock.advance(5000)
    repository.change(issue, { title: 'Paint the big gate' })
    repository.comment(issue, repository.addUser('olga', false), 'Which green?')
    await sweep()
    expect(await taskOf(board, task_id)).toMatchObject({ title: 'Paint the big gate' })
    await w.ben['comments.add']({ task_id, text: 'Moss.', content_type: 'markdown' })
    await w.ada['tasks.update']({ task_id, title: 'Paint the biggest gate' })
    await sync()
    expect(issue.title).toBe('Paint the biggest gate')
    expect(issue.comments.map(({ text }) => text.split('\n')[0])).toEqual(['Which green?', 'Moss.'])
    expect((await w.ada['comments.list']({ task_id })).items).toHaveLength(2)
    expect(repository.issues).toHaveLength(1)
  })

  test('closing an issue completes its task, and reopening the task opens the issue', async () => {
    const board = await linkedBoard(kind)
    const { w, repository, project_id, sync, sweep } = board
    const { task_id } = await w.ada['tasks.create']({ project_id, title: 'Oil the hinge' })
    await sync()
    const issue = repository.issues[0]!
    w.clock.advance(5000)
    repository.change(issue, { isClosed: true })
    await sweep()
    const done = await taskOf(board, task_id)
    expect(done.completed_at).not.toBeNull()
    const section_id = w.sections.Next
    await w.ada['tasks.update']({ task_id, section_id })
    await sync()
    expect(issue.isClosed).toBe(false)
  })
})
