import { describeRule } from '../../kernel/recurrence/describe.ts'
import { cell } from './cell.ts'
import { plain } from './table.ts'

type Row = Record<string, unknown>

const TITLES: [property: string, title: string, valueText: (understood: Row) => string][] = [
  ['due_date', 'due', ({ due_date }) => dueText(String(due_date))],
  ['recurrence', 'repeats', ({ recurrence }) => describeRule(String(recurrence))],
  ['priority', 'priority', ({ priority_name }) => cell(priority_name)],
  ['estimate', 'size', ({ estimate }) => SIZES[Number(estimate)] ?? ''],
  ['project_id', 'board', ({ project_title }) => cell(project_title)],
  ['labels', 'labels', ({ labels }) => cell(labels)],
  ['assignees', 'for', ({ assignees }) => cell(assignees)],
]
const SIZES = ['', '', 'XS', 'S', 'M', 'L', 'XL']
/** The time has the offset of the person's time zone, so it can be shown as it is. */
const dueText = (due: string) => due.slice(0, 16).replace('T', ' ')
const WIDTH = 10

/** Describes how a quick-add line was parsed. Empty if it was only a title. */
export function describeParsedTask(understood: Row): string {
  const parts = understood.parts as Row[]
  return TITLES.flatMap(([property, title, valueText]) => {
    const words = parts.filter((part) => part.means === property).map(({ text }) => plain(text))
    // A repeat rule without a date still sets a due date.
    const isImplied = property === 'due_date' && !words.length && understood.due_date !== null
    if (!words.length && !isImplied) return []
    const source = words.length ? `  (${words.join(' … ')})` : ''
    return [`  ${title.padEnd(WIDTH)}${valueText(understood)}${source}`]
  }).join('\n')
}
