import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { projectMembers, projects } from '../../../../src/features/boards/projects/model/index.ts'
import { Fault } from '../../../../src/kernel/fault.ts'
import type { Passage } from '../../../../src/kernel/services.ts'
import { onPostgres } from '../../../support/postgres.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

const SEEDS = onPostgres ? 1 : 3
const ROUNDS = onPostgres ? 4 : 12
const WORDS = ['anchor', 'rudder', 'compass', 'lantern', 'harbour', 'sail', 'rope', 'tide']

function randomSource(seed: number) {
  let state = seed * 7919
  const below = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % limit
  }
  return { below, pick: <T>(items: readonly T[]): T => items[below(items.length)]! }
}

type RandomSource = ReturnType<typeof randomSource>

/** Team and invited boards of two teams whose texts use the same words, and the callers. */
async function createScenario(w: World, { pick }: RandomSource) {
  const { ada, otto, team_id, otherTeamId, addAgent, authenticateAs, cleo } = w
  const boards: { owner: Actor; project_id: number }[] = []
  const kinds = ['team', 'invited', 'invited'] as const
  for (const [at, access] of [...kinds, ...kinds].entries()) {
    const owner = at < 4 ? ada : otto
    const { project_id } = await owner['projects.create']({
      ...{ team_id: at < 4 ? team_id : otherTeamId, title: `Board ${at}`, access },
      sections: [{ title: 'Now' }],
    })
    boards.push({ owner, project_id })
    for (let tasks = 0; tasks < 3; tasks++) {
      const sentence = () => `${pick(WORDS)} ${pick(WORDS)} ${pick(WORDS)}`
      const { task_id } = await owner['tasks.create']({
        ...{ project_id, title: sentence(), description: `<p>${sentence()}</p>` },
      })
      await owner['comments.add']({ task_id, text: `<p>${sentence()}</p>` })
      await owner['pages.create']({ task_id, title: sentence(), content: sentence() })
      const file = { filename: 'notes.txt', content_type: 'text/plain', text: sentence() }
      await owner['attachments.create']({ task_id, files: [file] })
    }
  }
  const confined = await addAgent(team_id, cleo, 'Confined')
  const allowed = new Set([boards[0]!.project_id, boards[1]!.project_id])
  const caller = { ...confined.caller, projects: allowed }
  const callers = [ada, w.ben, cleo, w.gus, otto, w.bot]
  const limitedKey = await authenticateAs(ada.caller.actor_id, 'key', [
    'tasks:read',
    'projects:read',
  ])
  return { boards, callers: [...callers, w.toActor({ ...confined, caller }), limitedKey] }
}

type Scenario = Awaited<ReturnType<typeof createScenario>>

/** Changes at random what callers can see: members, access, moves, deletion, archiving. */
async function change(w: World, { boards, callers }: Scenario, { below, pick }: RandomSource) {
  const { store, clock, ada } = w
  const { project_id } = pick(boards)
  const { actor_id } = pick(callers).caller
  const task = 5 + below(18)
  const team_id = boards.findIndex((one) => one.project_id === project_id) < 4 ? 1 : 2
  const row = { team_id: team_id === 1 ? w.team_id : w.otherTeamId, project_id, actor_id }
  const changes: (() => Promise<unknown>)[] = [
    () =>
      store.write((tx) =>
        tx
          .insert(projectMembers)
          .values({ ...row, added_at: clock.now })
          .onConflictDoNothing(),
      ),
    () =>
      store.write((tx) =>
        tx.delete(projectMembers).where(eq(projectMembers.project_id, project_id)),
      ),
    () =>
      store.write((tx) =>
        tx
          .update(projects)
          .set({ access: pick(['team', 'invited'] as const) })
          .where(eq(projects.project_id, project_id)),
      ),
    () => ada['tasks.move']({ task_id: task, target_project_id: pick(boards).project_id }),
    () => ada['tasks.update']({ task_id: task, status: pick(['Deleted', 'Normal'] as const) }),
    () => ada['pages.archive']({ page_id: 1 + below(18) }),
    () => ada['comments.delete']({ comment_id: 1 + below(18) }),
    () => ada['attachments.delete']({ attachment_id: 1 + below(18) }),
    () => ada['projects.archive']({ project_id, status: pick(['Archive', 'Normal'] as const) }),
  ]
  await pick(changes)().catch((error) => {
    if (!(error instanceof Fault)) throw error
  })
}

/** Whether the caller can read the text itself, and it is neither archived nor deleted. */
async function canRead(actor: Actor, { kind, id }: Pick<Passage, 'kind' | 'id'>): Promise<boolean> {
  const read = {
    description: () => actor['tasks.get']({ task_id: id }),
    comment: () => actor['comments.get']({ comment_id: id }),
    page: () => actor['pages.get']({ page_id: id }),
    file: () => actor['attachments.get']({ attachment_id: id }),
  }
  const found = await read[kind]().catch((error) => {
    if (error instanceof Fault) return undefined
    throw error
  })
  if (!found || ('archived_at' in found && found.archived_at)) return false
  const { task_id } = found as { task_id: number }
  const [task] = [await actor['tasks.get']({ task_id })].flat()
  return task!.status !== 'Deleted'
}

test('a search returns only passages the caller may read, even if the index is stale', async () => {
  let indexedCount = 0
  let returnedCount = 0
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = randomSource(seed)
    const w = await world({ hasBoard: false })
    const scenario = await createScenario(w, random)
    const { boards, callers } = scenario
    const realSearch = w.searchIndex.search
    const all = boards.map(({ project_id }) => project_id)
    // The response of an index that ignores access and never changes.
    const staleResults = await realSearch({ text: WORDS.join(' '), projects: all, limit: 200 })
    for (let round = 0; round < ROUNDS; round++) {
      w.searchIndex.search = round % 2 ? realSearch : async () => staleResults
      for (const actor of callers) {
        const query = `${random.pick(WORDS)} ${random.pick(WORDS)}`
        const found = await actor['search.semantic']({ query, limit: 50 })
        const related = await actor['search.related']({ text: query, limit: 50 })
        indexedCount += staleResults.length
        returnedCount += found.length
        for (const { source } of found)
          expect([source.kind, source.id, await canRead(actor, source)]).toEqual([
            ...[source.kind, source.id, true],
          ])
        for (const { task_id } of related)
          expect(await canRead(actor, { kind: 'description', id: task_id })).toBe(true)
      }
      for (let at = 0; at < 4; at++) await change(w, scenario, random)
    }
  }
  // The counts prove that many passages were returned and many were filtered out.
  expect(returnedCount).toBeGreaterThan(SEEDS * ROUNDS * 40)
  expect(indexedCount - returnedCount).toBeGreaterThan(SEEDS * ROUNDS * 40)
})
