import { describeRule } from '../../../kernel/recurrence/describe.ts'

/** A repeat rule in words, as a value on its own: `Every 2 weeks`. */
export function ruleText(recurrence: string): string {
  const text = describeRule(recurrence)
  return text[0]!.toUpperCase() + text.slice(1)
}
