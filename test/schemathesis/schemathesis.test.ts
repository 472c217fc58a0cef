import { afterAll, beforeAll, expect, test } from 'bun:test'
import { folder, sweep } from '../binary/cork.ts'
import { KINDS, type Kind, openFor } from './cast.ts'
import { isMeant } from './deviations.ts'
import { installed } from './python.ts'
import type { Failure, Found } from './report.ts'
import { type Plan, run } from './run.ts'

/** Cases for each kind, 20,000 in all. CORK_TEST_CASES sets a smaller number for development. */
const CASES = Number(process.env.CORK_TEST_CASES ?? 4000)
const OPERATIONS = 250
const MINUTES = 60_000

/** These can end the credential or the membership that everything after them needs. */
const ENDING = [
  ...['api_keys.revoke', 'access_tokens.revoke', 'teams.leave', 'teams.set_role'],
  ...['teams.remove_member', 'projects.remove_member'],
]
const chosen = (flag: string) => ENDING.flatMap((name) => [flag, name])

/** Boundary values and other methods are tried only as the owner, who has the most rights. */
const mainPlan = (kind: Kind): Plan => ({
  phases: `examples,${kind === 'owner' ? 'coverage,' : ''}fuzzing,stateful`,
  examples: Math.ceil(CASES / OPERATIONS),
  choice: chosen('--exclude-operation-id'),
})
const endingPlan: Plan = {
  phases: 'fuzzing',
  examples: 10,
  choice: chosen('--include-operation-id'),
}

let command = ''
beforeAll(async () => {
  command = await installed(folder())
}, 5 * MINUTES)
afterAll(sweep)

for (const kind of KINDS)
  test(
    `the responses to the ${kind} conform to the OpenAPI document`,
    async () => {
      const began = performance.now()
      const found = await play(kind, mainPlan(kind))
      const ending = await play(kind, endingPlan)
      const failures = [...found.failures, ...ending.failures]
      const unexplained = failures.filter((failure) => !isMeant(failure))
      const accepted = countOf(found, /^2/)
      console.log(
        `Schemathesis, ${kind}: ${found.cases + ending.cases} cases in ${secondsSince(began)} s, ` +
          `${accepted} answered 2xx, ${failures.length - unexplained.length} deviations, ` +
          `${unexplained.length} unexplained; ${JSON.stringify(found.statuses)}`,
      )
      expect(distinct(unexplained)).toEqual([])
      expect(found.cases).toBeGreaterThanOrEqual(CASES)
      // If the credential had ended early, nearly every response would be 401.
      expect(accepted).toBeGreaterThan(found.cases / 50)
      expect(countOf(found, /^429/)).toBeLessThan(found.cases / 100)
    },
    20 * MINUTES,
  )

/** Runs a plan on a server of its own with a credential of its own. */
async function play(kind: Kind, plan: Plan): Promise<Found> {
  const { url, secret, close } = await openFor(kind)
  try {
    return await run({ command, url, secret, ...plan })
  } finally {
    await close()
  }
}

/** One failure of each operation and check: the others have the same cause. */
const distinct = (failures: Failure[]) => [
  ...new Map(failures.map((one) => [`${one.operation} ${one.check}`, one])).values(),
]

const countOf = ({ statuses }: Found, wanted: RegExp) =>
  Object.entries(statuses).reduce((sum, [code, many]) => sum + (wanted.test(code) ? many : 0), 0)

const secondsSince = (began: number) => Math.round((performance.now() - began) / 1000)
