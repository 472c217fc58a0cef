import { ask } from './cork.ts'

export interface Acknowledged {
  ticket_number: string
  title: string
  /** When the response arrived. */
  at: number
}

/** Writers that create tasks without pause until `stop` is called. */
export function write(url: string, secret: string, project_id: number, many: number) {
  const acknowledged: Acknowledged[] = []
  const refused: unknown[] = []
  let going = true
  /** A broken connection says nothing about the write, so it is not counted as acknowledged. */
  const attempt = (task: object) =>
    ask(url, secret, 'POST', '/api/v1/tasks', task).catch(async (error) => {
      await Bun.sleep(20)
      return { status: 0, body: String(error) }
    })
  const writer = async (name: number) => {
    for (let at = 0; going; at++) {
      const title = `Task ${at} of writer ${name}`
      const { status, body } = await attempt({ project_id, title })
      if (status === 201)
        acknowledged.push({ ticket_number: body.data.ticket_number, title, at: performance.now() })
      else refused.push(body)
    }
  }
  const running = Array.from({ length: many }, (_, name) => writer(name))
  return {
    acknowledged,
    refused,
    async stop() {
      going = false
      await Promise.all(running)
    },
  }
}

/** A board to write on. */
export async function boardIn(url: string, secret: string, team_id: number): Promise<number> {
  const sections = [{ title: 'Open' }, { title: 'Done' }]
  const { body } = await ask(url, secret, 'POST', '/api/v1/projects', {
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
    const { body } = await ask(url, secret, 'GET', path)
    for (const { ticket_number, title } of body.data) found.set(ticket_number, title)
    cursor = body.page.next_cursor ?? ''
  } while (cursor)
  return found
}
