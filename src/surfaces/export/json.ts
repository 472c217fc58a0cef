import type { Plan, Writer } from './task.ts'

/** One document, in which every task is a line of its own. So a program need not load all of it. */
export function jsonWriter({ columns, ...board }: Plan, now: Date): Writer {
  let separator = '\n'
  return {
    hasComments: true,
    head() {
      const names = columns.map(({ task_ids: _, ...column }) => column)
      const head = { ...board, exported_at: now.toISOString(), columns: names }
      return `${JSON.stringify(head).slice(0, -1)},"tasks":[`
    },
    task({ repeat: _, ...task }) {
      const text = separator + JSON.stringify(task)
      separator = ',\n'
      return text
    },
    end: () => '\n]}\n',
  }
}
