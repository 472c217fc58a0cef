import { type Resolver, resolveTask } from '../../../../content/index.ts'
import { type Step, sizeOf, stepsBack } from './steps.ts'

export interface Hunk {
  old_start: number
  old_lines: number
  new_start: number
  new_lines: number
  lines: string[]
}

/** The differences of two texts, line by line. */
export interface Comparison {
  hunks: Hunk[]
  /** The same as one text in the format of `diff -u`. */
  unified: string
}

interface NamedText {
  name: string
  text: string
}

export const compareTexts = (ctx: Resolver, before: NamedText, after: NamedText): Comparison =>
  resolveTask(ctx, {
    name: 'compare',
    args: [before.name, before.text, after.name, after.text],
    field: 'from',
  })

/** With fewer removed characters, a line diff saves nothing. */
const MIN_DIFF_LENGTH = 200

/** Computes the steps that turn the text `after` back into the text `before`. */
export function computeSteps(ctx: Resolver, before: string, after: string): Step[] {
  const steps = stepsBack(before, after)
  if (sizeOf(steps).removed < MIN_DIFF_LENGTH) return steps
  return resolveTask(ctx, { name: 'steps', args: [before, after], field: 'content' })
}
