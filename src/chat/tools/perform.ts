import { catalog } from '../../catalog.ts'
import { Fault, fault } from '../../kernel/fault.ts'
import { closestWord, validInput } from '../../kernel/validate.ts'
import { fitAnswer } from './answer.ts'
import type { CallResult, ChatTool, Fields, ToolContext, Tools } from './types.ts'
import { prepareUndo } from './undo/index.ts'

/** Rejects invalid input before a person is asked to approve the call. */
export function check({ op, schema }: ChatTool, input: unknown): asserts input is Fields {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw fault.invalid(
      'input',
      'invalid_type',
      'The input of a call must be a valid JSON object',
      undefined,
      `Its fields are ${Object.keys(schema.properties as Fields).join(', ') || 'none'}`,
    )
  validInput(op.input, input)
}

/** Dispatches a call as every surface does, and records how to undo it. */
export async function perform(
  context: ToolContext,
  tool: ChatTool,
  input: unknown,
): Promise<CallResult> {
  check(tool, input)
  const { dispatch, caller, key } = context
  const { op } = tool
  const makeUndo = tool.writes(input) ? await prepareUndo(context, op.name, input) : undefined
  const answer = await dispatch(caller, op, input, key)
  const ask = (changedInput: Fields) => dispatch(caller, op, changedInput)
  const { output, text } = await fitAnswer(op, input, answer, ask)
  const undo = answer.replayed ? undefined : await makeUndo?.(answer.data)
  return { text, output, answer, ...(undo && { undo }) }
}

const manifest = catalog.find(({ name }) => name === 'projects.manifest')!

/**
 * The title of a call, with the name of the board if the input names one that the caller can see.
 */
export async function callTitle(
  context: ToolContext,
  tool: ChatTool,
  input: unknown,
): Promise<string> {
  const { project_id } = (input ?? {}) as { project_id?: unknown }
  if (typeof project_id !== 'number') return tool.title(input)
  try {
    const { data } = await context.dispatch(context.caller, manifest, { project_id })
    return tool.title(input, (data as { title: string }).title)
  } catch (error) {
    if (error instanceof Fault) return tool.title(input)
    throw error
  }
}

/** The refusal for a tool that does not exist. */
export function unknownTool(tools: Tools, name: string): Fault {
  const near = closestWord(name, [...tools.keys()])
  return fault.invalid(
    'tool',
    'out_of_range',
    `There is no tool ${name.slice(0, 100)}`,
    name,
    near ? `Did you mean ${near}?` : 'Call one of the listed tools, or more_tools',
  )
}
