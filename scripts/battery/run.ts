import { around } from './around.ts'
import { createScenario, type Environment } from './environment.ts'
import { finding } from './finding.ts'
import { mending } from './mending.ts'
import type { Row } from './table.ts'
import type { Task } from './task.ts'
import { together } from './together.ts'
import { working } from './working.ts'

export const tasks: readonly Task[] = [...finding, ...working, ...together, ...around, ...mending]

/** Runs a task on a new board. `missed` describes the failure, if there is one. */
export async function runTask(
  environment: Environment,
  { name, play, budget: most }: Task,
): Promise<Row> {
  const scenario = await createScenario(environment)
  try {
    await play(scenario)
    const cost = scenario.cost()
    const isOverBudget = most && (cost.calls > most.calls || cost.tokens > most.tokens)
    return { name, ...cost, ...(isOverBudget && { missed: `more than ${JSON.stringify(most)}` }) }
  } catch (error) {
    return { name, ...scenario.cost(), missed: (error as Error).message }
  } finally {
    await scenario.close()
  }
}
