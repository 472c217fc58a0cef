import { collaboration } from './collaboration.ts'
import { discovery } from './discovery.ts'
import { createScenario, type Environment } from './environment.ts'
import { guesses } from './guesses.ts'
import { recovery } from './recovery.ts'
import type { Row } from './table.ts'
import type { Task } from './task.ts'
import { taskDetails } from './task-details.ts'
import { taskWork } from './task-work.ts'

export const tasks: readonly Task[] = [
  ...discovery,
  ...taskWork,
  ...collaboration,
  ...taskDetails,
  ...recovery,
  ...guesses,
]

/** Runs a task on a new board. `failure` describes the failure, if there is one. */
export async function runTask(environment: Environment, { name, run, budget }: Task): Promise<Row> {
  const scenario = await createScenario(environment)
  try {
    await run(scenario)
    const cost = scenario.cost()
    const isOverBudget = budget && (cost.calls > budget.calls || cost.tokens > budget.tokens)
    return {
      name,
      ...cost,
      ...(isOverBudget && { failure: `more than ${JSON.stringify(budget)}` }),
    }
  } catch (error) {
    return { name, ...scenario.cost(), failure: (error as Error).message }
  } finally {
    await scenario.close()
  }
}
