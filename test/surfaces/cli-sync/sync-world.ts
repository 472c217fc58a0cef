import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createTemporaryFolder, terminal } from '../../support/terminal.ts'
import { type World, world } from '../../support/world.ts'

interface Row {
  ticket_number: string
  task_id: number
  project_id: number
  title: string
  section: string
  status: string
}

/** A server, and a folder that is synced with a board of it. */
export async function syncWorld(source: string, files: Record<string, string>) {
  const w = await world()
  const folder = createTemporaryFolder()
  const path = (name: string) => join(folder, name)
  const write = (name: string, text: string) => {
    mkdirSync(dirname(path(name)), { recursive: true })
    writeFileSync(path(name), text)
  }
  for (const [name, text] of Object.entries(files)) write(name, text)
  const { cork } = terminal(w, w.ada)
  const read = (name: string) => readFileSync(path(name), 'utf8')
  return {
    w,
    folder,
    read,
    write,
    edit: (name: string, from: string, to: string) => {
      const text = read(name)
      if (!text.includes(from)) throw new Error(`${name} does not contain ${from}:\n${text}`)
      write(name, text.replace(from, to))
    },
    names: (below: string) => readdirSync(path(below)).sort(),
    cork,
    async sync(...flags: string[]) {
      const { code, out, err } = await cork('sync', source, folder, ...flags)
      return { code, out: out.split('\n').filter(Boolean).sort(), err }
    },
    tasks: (status?: string) => tasksOf(w, status),
    get: async (key: string) =>
      (await w.ada['tasks.get']({ ticket_number: key, format: 'markdown' })) as unknown as Task,
    /** The tasks of the board with their descriptions. */
    all: async () => {
      const rows = Object.values(await rowsOf(w))
      const tasks: Task[] = []
      for (const { ticket_number } of rows)
        tasks.push(
          (await w.ada['tasks.get']({ ticket_number, format: 'markdown' })) as unknown as Task,
        )
      return tasks
    },
    sections: async () => {
      const { project_id } = (await rowsOf(w))[0]!
      const { sections } = (await w.ada['projects.board']({ project_id })) as unknown as {
        sections: { section_id: number; title: string }[]
      }
      return sections
    },
    comments: async (key: string) => {
      const { items } = await w.ada['comments.list']({ ticket_number: key, format: 'markdown' })
      return items as unknown as { comment_id: number; text: string }[]
    },
  }
}

export interface Task extends Row {
  description: string | null
  priority: number
  labels: { name: string }[]
  assignees: { name: string }[]
  due_date: string | null
}

/** The tasks of the synced board, by their titles. */
const tasksOf = async (w: World, status?: string): Promise<Record<string, Row>> =>
  Object.fromEntries((await rowsOf(w, status)).map((row) => [row.title, row]))

async function rowsOf(w: World, status = 'Normal'): Promise<Row[]> {
  const boards = (await w.ada['projects.list']({})) as unknown as {
    items: { project_id: number; title: string }[]
  }
  const board = boards.items.find(({ title }) => title === 'Harbour')!
  const { items } = (await w.ada['tasks.list']({
    project_id: board.project_id,
    status: status as 'Normal',
    limit: 100,
  })) as unknown as { items: Row[] }
  return items
}
