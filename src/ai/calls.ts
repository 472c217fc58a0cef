import { closestWord } from '../kernel/validate.ts'
import { isObject } from './messages.ts'
import type { Tool, ToolCall, Turn } from './types.ts'

/** Why a call cannot be made, in words for the model; undefined if it can. */
export function callError(
  { tool, input }: ToolCall,
  tools: readonly Tool[],
  { before }: Pick<Turn, 'before'>,
): string | undefined {
  const names = tools.map(({ name }) => name)
  if (!names.includes(tool)) {
    const required = before?.(tool)
    if (required) return `Nothing was done: ${tool} is not open yet. Call ${required} first.`
    const suggestion = closestWord(tool, names)
    const hint = suggestion
      ? `Did you mean ${suggestion}?`
      : `Available: ${names.join(', ') || 'none'}.`
    return `Nothing was done: there is no tool called ${JSON.stringify(tool.slice(0, 100))}. ${hint}`
  }
  if (isObject(input)) return undefined
  return `Nothing was done: the arguments of ${tool} cannot be read as a JSON object. Call it again with valid JSON.`
}
