import { catalog } from '../../catalog.ts'
import { Fault, fault } from '../../kernel/fault.ts'
import { nearest, validate } from '../../kernel/validate.ts'
import { answered } from './answer.ts'
import type { Asking, ChatTool, Fields, Performed, Tools } from './types.ts'
import { backFrom } from './undo/index.ts'

/** Throws where a call could not work whatever is there, so that nobody is asked about it. */
export function check({ op, schema }: ChatTool, input: unknown): asserts input is Fields {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw fault.invalid(
      'input',
      'invalid_type',
      'The input of a call must be one JSON object, and this is none that can be read',
      undefined,
      `Its fields are ${Object.keys(schema.properties as Fields).join(', ') || 'none'}`,
    )
  validate(op.input, input)
}

/** Runs a call by the road that every surface takes, and keeps the way back. */
export async function perform(asking: Asking, tool: ChatTool, input: unknown): Promise<Performed> {
  check(tool, input)
  const { dispatch, caller, key } = asking
  const { op } = tool
  const back = tool.writes(input) ? await backFrom(asking, op.name, input) : undefined
  const answer = await dispatch(caller, op, input, key)
  const ask = (wanted: Fields) => dispatch(caller, op, wanted)
  const { output, text } = await answered(op, input, answer, ask)
  const undo = answer.replayed ? undefined : await back?.(answer.data)
  return { text, output, answer, ...(undo && { undo }) }
}

const manifest = catalog.find(({ name }) => name === 'projects.manifest')!

/** A title with the name of the board, where the input names one that the caller sees. */
export async function titled(asking: Asking, tool: ChatTool, input: unknown): Promise<string> {
  const { project_id } = (input ?? {}) as { project_id?: unknown }
  if (typeof project_id !== 'number') return tool.title(input)
  try {
    const { data } = await asking.dispatch(asking.caller, manifest, { project_id })
    return tool.title(input, (data as { title: string }).title)
  } catch (error) {
    if (error instanceof Fault) return tool.title(input)
    throw error
  }
}

/** What a model is told that calls a tool which is not there. */
export function missing(tools: Tools, name: string): Fault {
  const near = nearest(name, [...tools.keys()])
  return fault.invalid(
    'tool',
    'out_of_range',
    `There is no tool ${name.slice(0, 100)}`,
    name,
    near ? `Did you mean ${near}?` : 'Call one of those that are listed, or more_tools',
  )
}
