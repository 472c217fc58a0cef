import { type Resolver, resolved } from '../../content/index.ts'
import { type Step, sizeOf, stepsBack } from './steps.ts'

export interface Hunk {
  old_start: number
  old_lines: number
  new_start: number
  new_lines: number
  lines: string[]
}

/** How two texts differ, line by line. */
export interface Compared {
  hunks: Hunk[]
  /** The same as one text, as `diff -u` writes it. */
  unified: string
}

interface Named {
  name: string
  text: string
}

export const comparedIn = (ctx: Resolver, before: Named, after: Named): Compared =>
  resolved(ctx, {
    ...{ name: 'compare', args: [before.name, before.text, after.name, after.text] },
    field: 'from',
  })

/** Below this, looking for lines that both texts share saves nothing. */
const SHORT = 200

/** How the text `before` is made of the text `after`. */
export function stepsIn(ctx: Resolver, before: string, after: string): Step[] {
  const steps = stepsBack(before, after)
  if (sizeOf(steps).gone < SHORT) return steps
  return resolved(ctx, { name: 'steps', args: [before, after], field: 'content' })
}
