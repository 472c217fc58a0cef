import { expect, test } from 'bun:test'
import { catalog } from '../../src/catalog.ts'
import { CHANGES, type ChangeKind, type ChangeType } from '../../src/kernel/changes.ts'
import type { AnyOperation } from '../../src/kernel/operation.ts'
import type { Change } from '../../src/web/data/change-stream.ts'
import { isStale } from '../../src/web/data/stale.ts'

const TYPES = Object.entries(CHANGES).flatMap(([noun, verbs]) =>
  verbs.map((verb) => `${noun}.${verb}` as ChangeType),
)
const typesOf = (kind: ChangeKind) =>
  TYPES.filter((type) =>
    kind === type ? true : type.startsWith(`${kind}.`) && type !== 'run.transcript',
  )
const ABOUT_5 = { task_id: 5, page_id: 50, parent_task_id: 4 }
const change = (type: ChangeType, data: Change['data'] = ABOUT_5): Change => ({
  ...{ seq: 1, project_id: 1, type, data },
})
const query = (name: string, input: object, data?: unknown) => ({
  ...{ queryKey: [name, input], state: { data } },
})
/** The input names the task and the page of the change, and the parent of the task. */
const INPUTS = { task: { task_id: 5 }, tasks: { task_id: 5 }, subtasks: { task_id: 4 } }

for (const { name, dependsOn, on } of catalog as readonly AnyOperation[])
  if (dependsOn && on.rest)
    test(`${name} becomes stale after the changes that it depends on, and no others`, () => {
      for (const type of TYPES) {
        const isStaleFor = (input: object) => isStale(query(name, input), change(type))
        const allTypes = dependsOn.flatMap((one) => (typeof one === 'string' ? typesOf(one) : []))
        expect([type, isStaleFor({ task_id: 1, page_id: 10 })]).toEqual([
          type,
          allTypes.includes(type),
        ])
        for (const one of dependsOn)
          if (typeof one !== 'string') {
            const kinds =
              one.changes?.flatMap(typesOf) ?? TYPES.filter((t) => t !== 'run.transcript')
            const input = one.about === 'page' ? { page_id: 50 } : INPUTS[one.about]
            if (kinds.includes(type)) expect([type, isStaleFor(input)]).toEqual([type, true])
          }
      }
    })

const isStaleAfter = (
  name: string,
  input: object,
  type: ChangeType,
  data?: Change['data'],
  answer?: unknown,
) => isStale(query(name, input, answer), change(type, data))

test('a line of a transcript does not make the agent, its runs or the list of runs stale', () => {
  for (const name of ['agents.get', 'agents.presence', 'runs.get', 'runs.list', 'sessions.list'])
    expect([name, isStaleAfter(name, {}, 'run.transcript')]).toEqual([name, false])
  expect(isStaleAfter('agents.get', {}, 'run.started')).toBe(true)
})

test('a board merges changes of its tasks itself and becomes stale when people change', () => {
  expect(isStaleAfter('projects.board', { project_id: 1 }, 'task.updated')).toBe(false)
  expect(isStaleAfter('projects.board', { project_id: 1 }, 'member.added')).toBe(true)
})

test('a task becomes stale when a subtask joins or leaves, and not when the subtask changes', () => {
  const isParentStale = (data: Change['data']) =>
    isStaleAfter('tasks.get', { task_id: 4 }, 'task.updated', { task_id: 5, ...data })
  expect(isParentStale({ after: { parent_task_id: 4 } })).toBe(true)
  expect(isParentStale({ before: { parent_task_id: 4 } })).toBe(true)
  expect(isParentStale({})).toBe(false)
})

test('relations and trees become stale when a task in the answer changes', () => {
  for (const name of ['relations.list', 'tasks.tree']) {
    const isStaleFor = (answer: unknown) =>
      isStaleAfter(name, { task_id: 1 }, 'task.updated', { task_id: 5 }, answer)
    expect([name, isStaleFor({ items: [{ task_id: 5 }] })]).toEqual([name, true])
    expect([name, isStaleFor({ items: [{ task_id: 55 }] })]).toEqual([name, false])
  }
  expect(isStaleAfter('relations.list', { task_id: 5 }, 'comment.created')).toBe(false)
})

test('a page that was opened by its public id becomes stale through the ids in the answer', () => {
  const answer = { page_id: 50, task_id: 5 }
  const isPageStale = (type: ChangeType, data: Change['data']) =>
    isStaleAfter('pages.get', { page_id: 'k3v9' }, type, data, answer)
  expect(isPageStale('page.updated', { page_id: 50, task_id: 5 })).toBe(true)
  expect(isPageStale('page.updated', { page_id: 51, task_id: 5 })).toBe(false)
  expect(isPageStale('task.updated', { task_id: 5 })).toBe(true)
  expect(isPageStale('comment.created', { task_id: 5 })).toBe(false)
})

test('a list that names no task becomes stale after a change of any task', () => {
  expect(isStaleAfter('decision_requests.list', { project_id: 1 }, 'decision.answered')).toBe(true)
  expect(isStaleAfter('decision_requests.list', { task_id: 1 }, 'decision.answered')).toBe(false)
})

test('a query that is no operation never becomes stale', () => {
  expect(isStaleAfter('number', {}, 'task.updated')).toBe(false)
})
