import { around } from './around.ts'
import { finding } from './finding.ts'
import { type Ground, openScene } from './ground.ts'
import { mending } from './mending.ts'
import type { Row } from './table.ts'
import type { Task } from './task.ts'
import { together } from './together.ts'
import { working } from './working.ts'

export const tasks: readonly Task[] = [...finding, ...working, ...together, ...around, ...mending]

/** Plays one of them on a board of its own; `missed` says in words what did not come true. */
export async function played(ground: Ground, { name, play, most }: Task): Promise<Row> {
  const scene = await openScene(ground)
  try {
    await play(scene)
    const cost = scene.cost()
    const over = most && (cost.calls > most.calls || cost.tokens > most.tokens)
    return { name, ...cost, ...(over && { missed: `more than ${JSON.stringify(most)}` }) }
  } catch (error) {
    return { name, ...scene.cost(), missed: (error as Error).message }
  } finally {
    await scene.close()
  }
}
