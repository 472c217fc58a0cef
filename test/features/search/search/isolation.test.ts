import { expect, test } from 'bun:test'
import { scaleCount, seed } from '../../../support/scale.ts'
import { type Actor, type World, world } from '../../../support/world.ts'

const ROUNDS = scaleCount(4, 40)
const QUESTIONS = 5
const WORDS = [
  ...['anchor', 'rudder', 'compass', 'lantern', 'harbour', 'sailing', 'rope', 'tide', 'captain'],
  ...['invoice', 'payment', 'customer', 'printer', 'network', 'password', 'deadline', 'handbook'],
]
const LETTERS = [...'aeiorstn']

function randomSource(start: number) {
  let state = start * 7919
  const below = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % limit
  }
  const pick = <T>(items: readonly T[]): T => items[below(items.length)]!
  /** A word with another letter in it, or a longer or shorter one. */
  const similar = (word: string) => {
    const at = 1 + below(word.length - 1)
    const rest = word.slice(at + below(2))
    return pick([word, word, word.slice(0, at + 1), word.slice(0, at) + pick(LETTERS) + rest])
  }
  const sentence = (count: number) =>
    Array.from({ length: 1 + below(count) }, () => similar(pick(WORDS))).join(' ')
  return { below, pick, sentence }
}

type RandomSource = ReturnType<typeof randomSource>

interface Board {
  owner: Actor
  project_id: number
}

/** Team and invited boards of two teams, with texts of the same words. */
async function createBoards(w: World, random: RandomSource): Promise<Board[]> {
  const { ada, otto, team_id, otherTeamId } = w
  const boards: Board[] = []
  for (let at = 0; at < 8; at++) {
    const owner = at < 5 ? ada : otto
    const { project_id } = await owner['projects.create']({
      ...{ team_id: at < 5 ? team_id : otherTeamId, title: random.sentence(2) },
      ...{ access: random.pick(['team', 'invited'] as const), sections: [{ title: 'Now' }] },
    })
    boards.push({ owner, project_id })
    await addTexts({ owner, project_id }, random, 4)
  }
  return boards
}

async function addTexts({ owner, project_id }: Board, { sentence }: RandomSource, count: number) {
  for (let at = 0; at < count; at++) {
    const { task_id } = await owner['tasks.create']({
      ...{ project_id, title: sentence(4), description: `<p>${sentence(30)}</p>` },
    })
    await owner['comments.add']({ task_id, text: `<p>${sentence(20)}</p>` })
    await owner['pages.create']({ task_id, title: sentence(3), content: sentence(40) })
  }
}

const readableBoards = async (actor: Actor) =>
  (await actor['projects.list']({ limit: 100 })).items.map(({ project_id }) => project_id)

/** What each search answers to the caller. */
async function answersTo(actor: Actor, query: string) {
  return {
    tasks: await actor['search.tasks']({ query, limit: 20 }),
    quick: await actor['search.quick']({ query, limit: 20 }),
    semantic: await actor['search.semantic']({ query, limit: 20 }),
    pages: await actor['pages.search']({ query, limit: 20 }),
    related: await actor['search.related']({ text: query, limit: 20 }),
  }
}

test('no answer of a search changes when texts are added to boards that the caller cannot read', async () => {
  let compared = 0
  for (let round = 0; round < ROUNDS; round++) {
    const random = randomSource(seed * 1000 + round)
    const w = await world({ hasBoard: false })
    const boards = await createBoards(w, random)
    const actor = random.pick([w.cleo, w.gus, w.bot, w.otto, w.ben])
    const readable = new Set(await readableBoards(actor))
    const hidden = boards.filter(({ project_id }) => !readable.has(project_id))
    const questions = Array.from({ length: QUESTIONS }, () => random.sentence(3))
    const before = []
    for (const query of questions) before.push(await answersTo(actor, query))
    for (const board of hidden) await addTexts(board, random, 4)
    for (const [at, query] of questions.entries())
      expect({ query, ...(await answersTo(actor, query)) }).toEqual({ query, ...before[at]! })
    compared += hidden.length && readable.size ? QUESTIONS : 0
  }
  // Proves that callers saw some boards, and others not.
  expect(compared).toBeGreaterThan(0)
})
