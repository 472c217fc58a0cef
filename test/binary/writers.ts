import { sendRequest } from './cork.ts'

export interface Acknowledged {
  ticket_number: string
  title: string
  /** When the response arrived. */
  at: number
}

/** Writers that create tasks without pause until `stop` is called. */
export function startWriters(url: string, secret: string, project_id: number, count: number) {
  const acknowledged: Acknowledged[] = []
  const failures: unknown[] = []
  let isRunning = true
  /** A broken connection says nothing about the write, so it is not counted as acknowledged. */
  const attempt = (task: object) =>
    sendRequest(url, secret, 'POST', '/api/v1/tasks', task).catch(async (error) => {
      await Bun.sleep(20)
      return { status: 0, body: String(error) }
    })
  const writer = async (index: number) => {
    for (let at = 0; isRunning; at++) {
      const title = `Task ${at} of writer ${index}`
      const { status, body } = await attempt({ project_id, title })
      if (status === 201)
        acknowledged.push({ ticket_number: body.data.ticket_number, title, at: performance.now() })
      else failures.push(body)
    }
  }
  const running = Array.from({ length: count }, (_, index) => writer(index))
  return {
    acknowledged,
    failures,
    async stop() {
      isRunning = false
      await Promise.all(running)
    },
  }
}

/** A board to write on. */
export async function createBoard(url: string, secret: string, team_id: number): Promise<number> {
  const sections = [{ title: 'Open' }, { title: 'Done' }]
  const { body } = await sendRequest(url, secret, 'POST', '/api/v1/projects', {
    ...{ team_id, title: 'Garden', sections },
  })
  return body.data.project_id
}

/** The titles of all tasks by ticket number, read page by page. */
export async function allTasks(url: string, secret: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  let cursor = ''
  do {
    const path = `/api/v1/tasks?limit=50&fields=ticket_number,title${cursor && `&cursor=${cursor}`}`
    const { body } = await sendRequest(url, secret, 'GET', path)
    for (const { ticket_number, title } of body.data) found.set(ticket_number, title)
    cursor = body.page.next_cursor ?? ''
  } while (cursor)
  return found
}
