import { type TSchema, Type as t } from '@sinclair/typebox'
import type { AnyOperation } from '../../kernel/operation.ts'
import { WrongUsage } from './command.ts'
import { type Fields, inPath } from './request.ts'

/** Where a line has room for a field: `<title>`, `[to]`, `--user <user_id>`, `[--task <task>]`. */
export interface Place {
  field: string
  required: boolean
  isFlag: boolean
}

const PLACE = /(\[?)(--[\w-]+ )?([<[])(\w+)[>\]]/g

export const placesOf = ({ on }: AnyOperation): Place[] =>
  [...(on.cli ?? '').matchAll(PLACE)].map(([, around, flag, bracket, field]) => ({
    field: field!,
    required: bracket === '<' && !around,
    isFlag: flag !== undefined,
  }))

/** A task is said once, by its key or its number. */
const ADDRESS = ['task_id', 'task_identifier', 'ticket_number', 'unique_index']
const TASK: TSchema = t.String({ description: 'A key such as WEB-12, or a number', hint: 'TASK' })
const HTML: TSchema = t.Boolean({
  description: 'The content is HTML, not markdown',
  negatable: false,
})

const saysTask = (op: AnyOperation) =>
  inPath(op).includes('task') || placesOf(op).some(({ field }) => field === 'task')

/** The fields of an operation as a line says them, some in a word of their own. */
export function saidIn(op: AnyOperation): Record<string, TSchema> {
  const properties: Record<string, TSchema> = op.input.properties
  const names = Object.keys(properties).filter((name) => !saysTask(op) || !ADDRESS.includes(name))
  return {
    ...(saysTask(op) && { task: TASK }),
    ...Object.fromEntries(names.map((name) => [name, properties[name]!])),
    ...(isPage(op) && properties.content_type && { html: HTML }),
  }
}

export const isPage = ({ name }: AnyOperation) => name.startsWith('pages.')

/** The flag that names a file with a long text; of a page it says what people write there. */
export const fileFlag = (op: AnyOperation, name: string, flag: string) =>
  isPage(op) && name === 'content' ? 'markdown-file' : `${flag}-file`

/** What was said, as the operation wants it. */
export function meant(op: AnyOperation, said: Fields, isFile: boolean): Fields {
  const { task, html: _, ...input } = said
  if (task !== undefined)
    Object.assign(input, inPath(op).includes('task') ? { task } : addressOf(String(task)))
  const content_type = typeSaid(said, isFile)
  const isTold = content_type !== undefined && op.input.properties.content_type
  return !isTold ? input : { ...input, content_type }
}

const addressOf = (task: string) =>
  /^\d+$/.test(task) ? { task_id: Number(task) } : { ticket_number: task }

/** A file of markdown is that, however the page was written, unless the line says otherwise. */
function typeSaid({ html, canvas, content_type }: Fields, isFile: boolean): unknown {
  const said = html === undefined ? content_type : html ? 'html' : 'markdown'
  if (content_type !== undefined && content_type !== said)
    throw new WrongUsage(`--html and --content-type ${content_type} contradict each other`)
  return said ?? (isFile && !canvas ? 'markdown' : undefined)
}
