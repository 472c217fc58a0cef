import { answer, call } from './call.ts'
import type { Facts } from './facts.ts'

/** What was written past the product must read as if the product had written it. */
export async function validate(url: string, { api_key, boards }: Facts) {
  for (const { key, tasks, project_id } of [boards[0]!, boards.at(-1)!]) {
    const get = (path: string) => call(url, api_key, 'GET', path)
    for (const number of [1, tasks >> 1, tasks]) {
      const task = await get(`/api/v1/tasks/${key}-${number}`)
      if (task.unique_index !== number || !task.title) throw new Error(`Bad: ${key}-${number}`)
    }
    const path = `/api/v1/tasks?project_id=${project_id}&limit=50`
    const { data, page } = await answer(url, api_key, 'GET', path)
    const list = data as { labels: unknown[]; assignees: unknown[] }[]
    const many = (name: 'labels' | 'assignees') => list.flatMap((task) => task[name]).length
    if (list.length !== Math.min(50, tasks) || !many('labels') || !many('assignees'))
      throw new Error(`The list of ${key} lacks tasks, labels or assignees`)
    if ((page?.total ?? tasks) !== tasks)
      throw new Error(`The list of ${key} counts ${page?.total} tasks of ${tasks}`)
    await validateAround(url, api_key, project_id)
  }
}

/** What stands around tasks is read as well: comments, with their number, and what is waited for. */
async function validateAround(url: string, api_key: string, project_id: number) {
  const about = async (which: string) => {
    const path = `/api/v1/search/tasks?board_id=${project_id}&limit=1&query=${which}`
    const [task] = (await answer(url, api_key, 'GET', path)).data as { ticket_number: string }[]
    if (!task) throw new Error(`Board ${project_id} has no task that ${which} finds`)
    const { data } = await answer(
      url,
      api_key,
      'GET',
      `/api/v1/tasks/${task.ticket_number}/context`,
    )
    return data as Around
  }
  const talked = await about('has:comment')
  if (!talked.comments.length || talked.comments.length !== talked.counts.comments)
    throw new Error(`${talked.comments.length} comments are counted as ${talked.counts.comments}`)
  const { task, blocked_by } = await about('is:blocked')
  if (!task.blocked || !blocked_by.length) throw new Error('No task waits for another one')
}

interface Around {
  task: { blocked: boolean }
  counts: { comments: number }
  comments: unknown[]
  blocked_by: unknown[]
}
