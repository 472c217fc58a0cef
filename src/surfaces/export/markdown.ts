import type { Comment, Plan, Task, Writer } from './task.ts'

interface Options {
  /** Writes descriptions and comments too. */
  full: boolean
  /** Dates and times are local to it. */
  time_zone: string
}

/** A document for people: a heading for each column, and a list of its tasks with a checkbox each. */
export function markdownWriter({ title, key }: Plan, { full, time_zone }: Options): Writer {
  /** The ids of the last task and its ancestors. */
  let path: number[] = []
  /** Whether an empty line comes before the next task. */
  let hasGap = false
  return {
    hasComments: full,
    head: () => `# ${literal(title)} (${key})\n`,
    column(column) {
      path = []
      hasGap = true
      return `\n## ${literal(column.title)}\n`
    },
    task(task, { done }) {
      path = path.slice(0, path.indexOf(task.parent_task_id ?? 0) + 1)
      const indent = '  '.repeat(path.length)
      path.push(task.task_id)
      const gap = hasGap ? '\n' : ''
      const details = full ? detailsOf(task, time_zone, `${indent}  `) : ''
      hasGap = details !== ''
      return `${gap}${indent}- [${done ? 'x' : ' '}] ${itemOf(task, time_zone)}\n${details}`
    },
    end: () => '',
  }
}

function itemOf(task: Task, time_zone: string): string {
  const { ticket_number, title, assignees, due_date, labels, priority, priority_name } = task
  const facts = [
    ...assignees.map(({ name }) => `@${literal(name)}`),
    ...(due_date ? [`due ${localDate(due_date, time_zone)}`] : []),
    ...(priority ? [priority_name] : []),
    ...labels.map(({ name }) => `#${literal(name)}`),
  ]
  const text = `**${ticket_number}** ${literal(title)}`
  return facts.length ? `${text} (${facts.join(', ')})` : text
}

/** The description and the comments, as further paragraphs of the item. */
function detailsOf({ description, comments = [] }: Task, time_zone: string, indent: string) {
  const blocks = comments.map((comment) => quoted(comment, time_zone))
  if (description?.trim()) blocks.unshift(description)
  return blocks.map((block) => `\n${indented(block, indent)}\n`).join('')
}

function quoted({ author, text, created_at }: Comment, time_zone: string): string {
  const heading = `**${literal(author.name)}**, ${localDate(created_at, time_zone)}:`
  const lines = `${heading}\n\n${text.trim()}`.split('\n')
  return lines.map((line) => `> ${line}`.trimEnd()).join('\n')
}

/** A day as it is, a moment to the minute. */
const localDate = (date: string, time_zone: string) =>
  date.includes('T')
    ? Temporal.Instant.from(date)
        .toZonedDateTimeISO(time_zone)
        .toPlainDateTime()
        .toString({ smallestUnit: 'minute' })
        .replace('T', ' ')
    : date

const indented = (text: string, indent: string) =>
  text
    .trim()
    .replace(/\r\n?/g, '\n')
    .replace(/^(?=.)/gm, indent)

/** Escapes what markdown would format. An underscore within a word is no markup. */
const literal = (text: string) => text.replace(/[\\`*[\]<>~]|\b_|_\b|&(?=#?\w+;)/g, '\\$&')
