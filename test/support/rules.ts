import { catalog } from '../../src/catalog.ts'
import { RuleRunner } from '../../src/workers/rules.ts'
import { waitForFollowers } from './followers.ts'
import type { World } from './world.ts'

const quiet = { error: (...args: unknown[]) => console.error(...args) } as never

export const runnerOf = ({ store, dispatch, clock }: World) =>
  new RuleRunner({ store, dispatch, catalog, clock: clock.read, log: quiet })

/** Queues and executes rules until none starts another one. Returns the number of rounds. */
export async function runRules(w: World): Promise<number> {
  const runner = runnerOf(w)
  for (let round = 1; ; round++) {
    await waitForFollowers(w, 'rules')
    const before = (await w.changes(0)).length
    await runner.runAll()
    if ((await w.changes(0)).length === before) return round
    if (round > 50) throw new Error('The rules do not come to rest')
  }
}
