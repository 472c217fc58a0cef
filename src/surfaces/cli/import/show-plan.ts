import type { Preview } from '../../../import/api.ts'
import type { Mapping } from '../../../import/mapping.ts'
import type { Plan } from '../../../import/plan.ts'
import { plain, type Screen, table } from '../table.ts'
import { count, section } from './plural.ts'

const PRIORITIES = ['none', 'urgent', 'high', 'medium', 'low']
const KINDS = { task: 'task', comment: 'comment', attachment: 'file', time_entry: 'time entry' }

export interface Proposal {
  plan: Plan
  mapping: Mapping
  /** Undefined if nobody asked the server. */
  preview: Preview | undefined
}

/** What an import would do, for people. */
export function planText({ plan, mapping, preview }: Proposal, screen: Screen): string {
  const { source, origin, counts } = plan
  const numbers = Object.entries(KINDS).flatMap(([kind, noun]) => {
    const number = counts[kind as keyof typeof KINDS]
    return number || kind === 'task' ? [count(number, noun)] : []
  })
  const relations = counts.relation ? [count(counts.relation, 'relation')] : []
  const again = preview?.import ? ['It was imported before, and is updated.'] : []
  return [
    `${source.title}: ${plain(origin.title)}`,
    [...numbers, ...relations].join(', '),
    ...again,
    ...boardLines(plan, mapping, screen),
    ...peopleLines(plan, mapping, preview, screen),
    ...priorityLines(plan, mapping),
    ...fieldLines(plan, mapping),
    ...sampleLines(plan, screen),
    ...lossLines(plan),
  ].join('\n')
}

const tableSection = (heading: string, rows: string[][], titles: string[], screen: Screen) =>
  rows.length ? ['', heading, table(rows, titles, screen)] : []

function boardLines({ boards }: Plan, mapping: Mapping, screen: Screen): string[] {
  const rows = boards.map((board, at) => {
    const { title, key = '', project_id, skip, columns } = mapping.boards[at]!
    const target = skip
      ? 'left out'
      : project_id === undefined
        ? `new board ${key}`.trim()
        : `board ${project_id}`
    const names = columns.map((column) => column.title)
    return [title, target, `${board.tasks}`, [...new Set(names)].join(', ')]
  })
  return tableSection('Boards', rows, ['title', 'becomes', 'tasks', 'columns'], screen)
}

function peopleLines(
  { people }: Plan,
  mapping: Mapping,
  preview: Preview | undefined,
  screen: Screen,
): string[] {
  const mapped = new Map(mapping.people.map(({ id, user_id }) => [id, user_id]))
  const found = new Map(preview?.people.map((person) => [person.id, person]))
  const rows = people
    .filter(({ uses }) => uses)
    .sort((a, b) => b.uses - a.uses)
    .map(({ id, name, email = '', uses }) => {
      const user_id = mapped.get(id) ?? 'placeholder'
      const match = found.get(id)
      const isMatch = match?.user_id === user_id
      const here = isMatch ? `${match.name} (by ${match.by})` : `user ${user_id}`
      return [name, email, `${uses}`, user_id === 'placeholder' ? 'placeholder' : here]
    })
  const shown = rows.slice(0, 20)
  const extra = rows.length - shown.length
  return [
    ...tableSection('People', shown, ['name', 'email', 'uses', 'becomes'], screen),
    ...(extra ? [`and ${extra} more`] : []),
  ]
}

function priorityLines({ priorities }: Plan, mapping: Mapping): string[] {
  const mapped = new Map(mapping.priorities.map(({ from, priority }) => [from, priority]))
  const words = priorities.filter(({ from }) => typeof from === 'string')
  const lines = words.map(({ from, tasks, priority, known }) => {
    const result = mapped.get(from) ?? priority
    const doubt = known || result !== priority ? '' : ', because the word is unknown'
    return `${from} (${count(tasks, 'task')}) becomes ${PRIORITIES[result]}${doubt}`
  })
  return section('Priorities', lines)
}

function fieldLines({ boards }: Plan, mapping: Mapping): string[] {
  const lines = boards.flatMap(({ title, fields }, at) =>
    fields.map(({ name, values, type }) => {
      const field = mapping.boards[at]!.fields.find(({ from }) => from === name)
      const become = field?.skip ? 'left out' : `${field?.name ?? name} (${field?.type ?? type})`
      const of = boards.length > 1 ? ` of ${title}` : ''
      return `${name}${of}: ${become}, ${count(values, 'value')}`
    }),
  )
  return section('Custom fields', lines)
}

const MAX_TITLE = 60
const shorten = (title: string) =>
  title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE - 1).toWellFormed()}…` : title

function sampleLines({ samples }: Plan, screen: Screen): string[] {
  const rows = samples.map(({ key, title, board, column, assignees, comments }) => [
    ...[key ?? '', shorten(title), board, column, assignees.join(', '), `${comments}`],
  ])
  const titles = ['key', 'title', 'board', 'column', 'assignees', 'comments']
  return tableSection('Samples', rows, titles, screen)
}

function lossLines({ lost, unknown }: Plan): string[] {
  const losses = lost.map(({ what, why, count }) => `${what}: ${why} (${count})`)
  const fields = unknown.map(({ field, count }) => `${field} (${count})`)
  return [
    ...section('Cannot be imported', losses),
    ...section('Unknown fields, which are left out', fields),
  ]
}
