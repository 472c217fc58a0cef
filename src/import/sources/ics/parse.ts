import ICAL from 'ical.js'
import { ImportProblem } from '../../problem.ts'
import type { Report, SourceFile } from '../../source.ts'
import { locationOf, textOf } from '../../text.ts'

export type Component = InstanceType<typeof ICAL.Component>
export type Property = InstanceType<typeof ICAL.Property>

export interface Calendar {
  /** Its own properties and its time zones. */
  head: Component
  todos: Component[]
  /** The kinds of its other components. */
  others: ReadonlySet<string>
}

/** The calendars of a file. A damaged file gives the to-dos in it that can be read. */
export async function calendarsIn(file: SourceFile, report: Report): Promise<Calendar[]> {
  const text = (await textOf(file)).replace(/\0/g, '')
  if (!/^\s*BEGIN:(?:VCALENDAR|VTODO)/im.test(text))
    throw new ImportProblem('There is no calendar in the file', 'Export it as iCalendar (.ics)', {
      file: file.path,
      line: 1,
    })
  if (!/^\s*BEGIN:VCALENDAR/im.test(text)) return repaired(text, file, report, 'it has no calendar')
  try {
    return calendarsOf(text)
  } catch (error) {
    return repaired(text, file, report, (error as Error).message)
  }
}

type Parts = [name: string, properties: [], components: Parts[]]

function partsIn(text: string): Parts[] {
  const parsed = ICAL.parse(text) as unknown[]
  return (typeof parsed[0] === 'string' ? [parsed] : parsed) as Parts[]
}

const calendarsOf = (text: string): Calendar[] =>
  partsIn(text)
    .filter(([name]) => name === 'vcalendar')
    .map(calendarOf)

/** To-dos are kept apart, because each search for a zone reads all other parts of the calendar. */
function calendarOf([name, properties, components]: Parts): Calendar {
  const zones = components.filter(([kind]) => kind === 'vtimezone')
  const head = new ICAL.Component([name, properties, zones] as [string, [], []])
  return {
    head,
    todos: components
      .filter(([kind]) => kind === 'vtodo')
      .map((todo) => new ICAL.Component(todo as [string, [], []], head)),
    others: new Set(
      components.map(([kind]) => kind.toUpperCase()).filter((kind) => kind !== 'VTODO'),
    ),
  }
}

const TODO = /^BEGIN:VTODO\s*$[\s\S]*?^END:VTODO\s*$/gim
const ZONE = /^BEGIN:VTIMEZONE\s*$[\s\S]*?^END:VTIMEZONE\s*$/gim

function repaired(text: string, file: SourceFile, report: Report, problem: string): Calendar[] {
  const zones = (text.match(ZONE) ?? []).filter(canBeRead).join('\n')
  const head = (/^X-WR-CALNAME[^\n]*$/im.exec(text)?.[0] ?? '').trim()
  const todos: string[] = []
  for (const found of text.matchAll(TODO))
    if (canBeRead(found[0])) todos.push(found[0])
    else {
      const { line } = locationOf(text, found.index)
      report.lose(`To-do at line ${line} of ${file.path}`, `It is damaged: ${problem}`)
    }
  return calendarsOf(
    `BEGIN:VCALENDAR\n${head ? `${head}\n` : ''}${zones}\n${todos.join('\n')}\nEND:VCALENDAR`,
  )
}

function canBeRead(block: string): boolean {
  try {
    return partsIn(block).length > 0
  } catch {
    return false
  }
}

/** The values of a property; empty if they are damaged. */
export function valuesOf(property: Property): unknown[] {
  try {
    return property.getValues()
  } catch {
    return []
  }
}

/** The values of all properties of a name as text. */
export const textsOf = (component: Component, name: string): string[] =>
  component
    .getAllProperties(name)
    .flatMap(valuesOf)
    .map((value) => String(value ?? '').trim())
    .filter(Boolean)

export const textOfProperty = (component: Component, name: string): string =>
  textsOf(component, name)[0] ?? ''

export const parameterOf = (property: Property, name: string): string => {
  const value: unknown = property.getParameter(name)
  return Array.isArray(value) ? String(value[0] ?? '') : typeof value === 'string' ? value : ''
}
