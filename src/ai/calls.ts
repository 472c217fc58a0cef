import { nearest } from '../kernel/validate.ts'
import { isObject } from './messages.ts'
import type { Called, Tool, Turn } from './types.ts'

/** What a model is told of a call that cannot be made; nothing where it can be. */
export function whyUnreadable(
  { tool, input }: Called,
  tools: readonly Tool[],
  { before }: Pick<Turn, 'before'>,
): string | undefined {
  const names = tools.map(({ name }) => name)
  if (!names.includes(tool)) {
    const first = before?.(tool)
    if (first) return `Nothing was done: ${tool} is not open yet. Call ${first} first.`
    const near = nearest(tool, names)
    const hint = near ? `Did you mean ${near}?` : `There are: ${names.join(', ') || 'none'}.`
    return `Nothing was done: there is no tool called ${JSON.stringify(tool.slice(0, 100))}. ${hint}`
  }
  if (isObject(input)) return undefined
  return `Nothing was done: the arguments of ${tool} cannot be read as a JSON object. Call it again with valid JSON.`
}
