import { call, requestApi } from './api.ts'
import type { Fixture } from './fixture.ts'

/** Checks that the API can read the rows that were inserted directly. */
export async function validate(url: string, { api_key, boards }: Fixture) {
  for (const { key, tasks, project_id } of [boards[0]!, boards.at(-1)!]) {
    const get = (path: string) => call(url, api_key, 'GET', path)
    for (const number of [1, tasks >> 1, tasks]) {
      const task = await get(`/api/v1/tasks/${key}-${number}`)
      if (task.unique_index !== number || !task.title)
        throw new Error(`${key}-${number} is incomplete`)
    }
    const path = `/api/v1/tasks?project_id=${project_id}&limit=50`
    const { data, page } = await requestApi(url, api_key, 'GET', path)
    const list = data as { labels: unknown[]; assignees: unknown[] }[]
    const countOf = (name: 'labels' | 'assignees') => list.flatMap((task) => task[name]).length
    if (list.length !== Math.min(50, tasks) || !countOf('labels') || !countOf('assignees'))
      throw new Error(`The list of ${key} lacks tasks, labels or assignees`)
    if ((page?.total ?? tasks) !== tasks)
      throw new Error(`The list of ${key} counts ${page?.total} tasks of ${tasks}`)
    await validateContext(url, api_key, project_id)
  }
}

/** Checks a task with comments and a blocked one. */
async function validateContext(url: string, api_key: string, project_id: number) {
  const contextOf = async (query: string) => {
    const path = `/api/v1/search/tasks?board_id=${project_id}&limit=1&query=${query}`
    const [task] = (await requestApi(url, api_key, 'GET', path)).data as { ticket_number: string }[]
    if (!task) throw new Error(`Board ${project_id} has no task that matches ${query}`)
    const { data } = await requestApi(
      url,
      api_key,
      'GET',
      `/api/v1/tasks/${task.ticket_number}/context`,
    )
    return data as Context
  }
  const discussed = await contextOf('has:comment')
  if (!discussed.comments.length || discussed.comments.length !== discussed.counts.comments)
    throw new Error(
      `${discussed.comments.length} comments were found, but comment_count is ${discussed.counts.comments}`,
    )
  const { task, blocked_by } = await contextOf('is:blocked')
  if (!task.blocked || !blocked_by.length) throw new Error('A blocked task has no blockers')
}

interface Context {
  task: { blocked: boolean }
  counts: { comments: number }
  comments: unknown[]
  blocked_by: unknown[]
}
