import { ImportProblem } from '../../problem.ts'
import type { ImportRecord } from '../../record.ts'
import type { Report, Source, SourceFile } from '../../source.ts'
import { beginningOf } from '../../text.ts'
import { stemOf } from '../shared/csv-values.ts'
import { RecordCollector } from '../shared/record-collector.ts'
import { icsFields } from './fields.ts'
import {
  type Calendar,
  type Component,
  calendarsIn,
  parameterOf,
  textOfProperty,
  valuesOf,
} from './parse.ts'
import { addTodo, isTechnicalX } from './todo.ts'

const isCalendar = ({ path }: SourceFile) => /\.(?:ics|ical|icalendar|ifb|vcs)$/i.test(path)

async function detects(files: readonly SourceFile[]): Promise<boolean> {
  for (const file of files.filter(isCalendar).slice(0, 20))
    if (/^BEGIN:VTODO/im.test(await beginningOf(file))) return true
  return false
}

async function* read(files: readonly SourceFile[], report: Report): AsyncIterable<ImportRecord> {
  const named = files.length === 1 ? files : files.filter(isCalendar)
  const found: { calendar: Calendar; title: string }[] = []
  for (const file of named)
    for (const calendar of await calendarsIn(file, report))
      found.push({ calendar, title: titleOf(calendar.head, file, named.length > 1) })
  const withTasks = found.filter(({ calendar }) => calendar.todos.length > 0)
  const [first] = withTasks
  if (!first)
    throw new ImportProblem('There are no to-dos in the calendar', 'Export a list of tasks', {
      file: files[0]?.path,
    })
  const collector = new RecordCollector({ id: `ics:${first.title}`, title: first.title }, report)
  const todos = withTasks.flatMap((one) => addCalendar(one.calendar, one.title, collector, report))
  for (const [todo, id] of todos) connect(todo, id, collector, report)
  yield* collector.records()
}

/** Servers export each to-do as a file of its own, in a folder for the list. */
function titleOf(calendar: Component, { path }: SourceFile, isFolder: boolean): string {
  const name = textOfProperty(calendar, 'x-wr-calname') || textOfProperty(calendar, 'name')
  return name || (isFolder ? path.split('/').at(-2) || 'Calendar' : stemOf(path))
}

function addCalendar(
  { head, todos, others }: Calendar,
  title: string,
  collector: RecordCollector,
  report: Report,
): [Component, string][] {
  const kinds = Object.fromEntries([...others].map((kind) => [kind, 'yes']))
  report.fields.add({ ...plainOf(head, false), ...kinds }, 'VCALENDAR')
  const uid = textOfProperty(head, 'x-wr-relcalid') || textOfProperty(head, 'uid')
  const about = textOfProperty(head, 'x-wr-caldesc') || textOfProperty(head, 'description')
  const board = collector.board(uid || title, title, { description: about || undefined })
  for (const column of ['Needs action', 'In progress']) board.column(column)
  const zone = textOfProperty(head, 'x-wr-timezone') || 'UTC'
  return todos.map((todo) => {
    report.fields.add(plainOf(todo, true), 'VTODO')
    return [todo, addTodo(todo, { board, zone, collector, report })]
  })
}

/** A component as an object, for the account of fields. */
function plainOf(component: Component, isTodo: boolean): Record<string, unknown> {
  const plain: Record<string, unknown> = {}
  for (const property of component.getAllProperties()) {
    const name = property.name.toUpperCase()
    plain[isTodo ? groupOf(name) : name] = valuesOf(property).map(String).join(',')
  }
  for (const { name } of component.getAllSubcomponents()) plain[name.toUpperCase()] = 'yes'
  return plain
}

const groupOf = (name: string) => {
  if (icsFields[`VTODO.${name}`] || !name.startsWith('X-')) return name
  if (!isTechnicalX(name.toLowerCase())) return 'X-*'
  return name.startsWith('X-MICROSOFT') ? 'X-MICROSOFT-*' : 'X-MOZ-*'
}

/** Sets parents and relations, which may refer to to-dos that come later. */
function connect(todo: Component, id: string, collector: RecordCollector, report: Report): void {
  for (const property of todo.getAllProperties('related-to')) {
    const other = String(valuesOf(property)[0] ?? '').trim()
    if (!other) continue
    const kind = parameterOf(property, 'reltype').toUpperCase() || 'PARENT'
    const task = collector.tasks.get(other)
    if (!task) report.lose(`Link to ${other}`, 'It is not in the files')
    else if (kind === 'PARENT' && other !== id) collector.tasks.get(id)!.parent = other
    else if (kind === 'CHILD') task.parent ??= id
    else if (kind === 'DEPENDS-ON') collector.relation('blocks', other, id)
    else collector.relation('related', id, other)
  }
}

export const ics: Source = {
  name: 'ics',
  title: 'iCalendar',
  accepts:
    'To-dos (VTODO) in .ics files, as Apple Reminders, Nextcloud Tasks or Thunderbird export',
  inFolder: /\.(?:ics|ical|icalendar|vcs)$/i,
  fields: icsFields,
  detects,
  read,
}
