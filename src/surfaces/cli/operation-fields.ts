import { type TSchema, Type as t } from '@sinclair/typebox'
import type { OperationDescription } from '../../kernel/operation.ts'
import { UsageError } from './command.ts'
import { type Fields, pathParameters } from './request.ts'

/** A placeholder in a usage line: `<title>`, `[to]`, `--user <user_id>`, `[--task <task>]`. */
export interface Placeholder {
  field: string
  required: boolean
  isFlag: boolean
}

const PLACEHOLDER = /(\[?)(--[\w-]+ )?([<[])(\w+)[>\]]/g

export const placeholdersOf = ({ on }: OperationDescription): Placeholder[] =>
  [...(on.cli?.usage ?? '').matchAll(PLACEHOLDER)].map(([, around, flag, bracket, field]) => ({
    field: field!,
    required: bracket === '<' && !around,
    isFlag: flag !== undefined,
  }))

/** Fields that the command line replaces by one field `task`, for a key or an id. */
const TASK_FIELDS = ['task_id', 'task_identifier', 'ticket_number', 'unique_index']
const TASK: TSchema = t.String({ description: 'A key such as WEB-12, or a number', hint: 'TASK' })
const HTML: TSchema = t.Boolean({
  description: 'The content is HTML, not markdown',
  negatable: false,
})

const takesTask = (op: OperationDescription) =>
  pathParameters(op).includes('task') || placeholdersOf(op).some(({ field }) => field === 'task')

/** The schemas of all fields on the command line, including `task` and `html`. */
export function cliSchemasOf(op: OperationDescription): Record<string, TSchema> {
  const properties: Record<string, TSchema> = op.input.properties
  const names = Object.keys(properties).filter(
    (name) => !takesTask(op) || !TASK_FIELDS.includes(name),
  )
  return {
    ...(takesTask(op) && { task: TASK }),
    ...Object.fromEntries(names.map((name) => [name, properties[name]!])),
    ...(isPage(op) && properties.content_type && { html: HTML }),
  }
}

export const isPage = ({ name }: OperationDescription) => name.startsWith('pages.')

/** The flag for a file with a long text. For pages it is `--markdown-file`. */
export const fileFlag = (op: OperationDescription, name: string, flag: string) =>
  isPage(op) && name === 'content' ? 'markdown-file' : `${flag}-file`

/** Converts command line fields to the input of the operation. */
export function toOperationInput(
  op: OperationDescription,
  values: Fields,
  isFile: boolean,
): Fields {
  const { task, html: _, ...input } = values
  if (task !== undefined)
    Object.assign(input, pathParameters(op).includes('task') ? { task } : taskAddress(String(task)))
  const content_type = contentTypeOf(values, isFile)
  const sendsContentType = content_type !== undefined && op.input.properties.content_type
  return !sendsContentType ? input : { ...input, content_type }
}

const taskAddress = (task: string) =>
  /^\d+$/.test(task) ? { task_id: Number(task) } : { ticket_number: task }

/** The content type. A text from a file is markdown unless a flag says otherwise. */
function contentTypeOf({ html, canvas, content_type }: Fields, isFile: boolean): unknown {
  const type = html === undefined ? content_type : html ? 'html' : 'markdown'
  if (content_type !== undefined && content_type !== type)
    throw new UsageError(`--html conflicts with --content-type ${content_type}`)
  return type ?? (isFile && !canvas ? 'markdown' : undefined)
}
