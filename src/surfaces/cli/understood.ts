import { cell } from './cell.ts'
import { plain } from './table.ts'

type Row = Record<string, unknown>

const TITLES: [means: string, title: string, shown: (understood: Row) => string][] = [
  ['due_date', 'due', ({ due_date }) => whenIn(String(due_date))],
  ['recurrence', 'repeats', ({ recurrence }) => cell(recurrence)],
  ['priority', 'priority', ({ priority_name }) => cell(priority_name)],
  ['project_id', 'board', ({ project_title }) => cell(project_title)],
  ['labels', 'labels', ({ labels }) => cell(labels)],
  ['assignees', 'for', ({ assignees }) => cell(assignees)],
]
/** A moment comes with the offset of the person's own time zone, so its time is theirs. */
const whenIn = (due: string) => due.slice(0, 16).replace('T', ' ')
const WIDTH = 10

/** What was made of a line in words, each with the words; nothing where it was a title alone. */
export function understoodIn(understood: Row): string {
  const parts = understood.parts as Row[]
  return TITLES.flatMap(([means, title, shown]) => {
    const words = parts.filter((part) => part.means === means).map(({ text }) => plain(text))
    // A repeat that names no day begins on one all the same.
    const from = means === 'due_date' && !words.length && understood.due_date !== null
    if (!words.length && !from) return []
    const said = words.length ? `  (${words.join(' … ')})` : ''
    return [`  ${title.padEnd(WIDTH)}${shown(understood)}${said}`]
  }).join('\n')
}
