import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cleanUp, createFolder } from '../binary/cork.ts'
import { KINDS, type Kind, startServerFor } from './callers.ts'
import { isIntended } from './deviations.ts'
import { installSchemathesis } from './python.ts'
import type { Failure, RunResult } from './report.ts'
import { type Plan, run } from './run.ts'

/** Cases for each kind of caller. CORK_TEST_CASES sets a smaller number for development. */
const CASES = Number(process.env.CORK_TEST_CASES ?? 4000)
const OPERATIONS = 250
const MINUTES = 60_000

/** Operations that can end the credential or the membership that later calls need. */
const ACCESS_ENDING = [
  ...['api_keys.revoke', 'access_tokens.revoke', 'teams.leave', 'teams.set_role'],
  ...['teams.remove_member', 'projects.remove_member'],
]
const selectEnding = (flag: string) => ACCESS_ENDING.flatMap((name) => [flag, name])

/** Boundary values and other methods are tested only as the owner, who has the most permissions. */
const mainPlan = (kind: Kind): Plan => ({
  phases: `examples,${kind === 'owner' ? 'coverage,' : ''}fuzzing,stateful`,
  examples: Math.ceil(CASES / OPERATIONS),
  selection: selectEnding('--exclude-operation-id'),
})
const endingPlan: Plan = {
  phases: 'fuzzing',
  examples: 10,
  selection: selectEnding('--include-operation-id'),
}

let command = ''
beforeAll(async () => {
  command = await installSchemathesis(createFolder())
}, 5 * MINUTES)
afterAll(cleanUp)

for (const kind of KINDS)
  test(
    `the responses to the ${kind} conform to the OpenAPI document`,
    async () => {
      const startedAt = performance.now()
      const result = await runPlan(kind, mainPlan(kind))
      const endingResult = await runPlan(kind, endingPlan)
      const failures = [...result.failures, ...endingResult.failures]
      const unintended = failures.filter((failure) => !isIntended(failure))
      const accepted = countOf(result, /^2/)
      console.log(
        `Schemathesis, ${kind}: ${result.cases + endingResult.cases} cases in ${secondsSince(startedAt)} s, ` +
          `${accepted} answered 2xx, ${failures.length - unintended.length} deviations, ` +
          `${unintended.length} unexplained; ${JSON.stringify(result.statuses)}`,
      )
      expect(deduplicate(unintended)).toEqual([])
      expect(result.cases).toBeGreaterThanOrEqual(CASES)
      // If the credential had ended early, nearly every response would be 401.
      expect(accepted).toBeGreaterThan(result.cases / 50)
      expect(countOf(result, /^429/)).toBeLessThan(result.cases / 100)
    },
    20 * MINUTES,
  )

/** Runs a plan on a server of its own with a credential of its own. */
async function runPlan(kind: Kind, plan: Plan): Promise<RunResult> {
  const { url, secret, close } = await startServerFor(kind)
  try {
    return await run({ command, url, secret, ...plan })
  } finally {
    await close()
  }
}

/** Keeps one failure for each operation and check, because the others have the same cause. */
const deduplicate = (failures: Failure[]) => [
  ...new Map(failures.map((one) => [`${one.operation} ${one.check}`, one])).values(),
]

const countOf = ({ statuses }: RunResult, pattern: RegExp) =>
  Object.entries(statuses).reduce((sum, [code, count]) => sum + (pattern.test(code) ? count : 0), 0)

const secondsSince = (startedAt: number) => Math.round((performance.now() - startedAt) / 1000)
