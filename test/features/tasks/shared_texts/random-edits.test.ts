import { expect, test } from 'bun:test'
import type { TaskRecord } from '../../../../src/features/tasks/records/model/index.ts'
import { Random } from '../../../crash/random.ts'
import { scaleCount } from '../../../support/scale.ts'
import { type Actor, type World, world } from '../../../support/world.ts'
import { Editor, type TextAddress } from './editors.ts'
import { saveTexts } from './save-texts.ts'

const ROUNDS = 30

/** A token that nobody else types, so that the texts show whether anything was lost. */
const token = (name: string, count: number) => `${name}${count} `

interface Session {
  w: World
  editors: Editor[]
  address: TextAddress
  random: Random
  typed: string[]
  deleted: Set<string>
}

/** Inserts a token between others, or sometimes breaks the line. */
function typeToken({ random, typed }: Session, editor: Editor, name: string) {
  const added = token(name, typed.length)
  const starts = [0, ...[...editor.text.matchAll(/ /g)].map(({ index }) => index + 1)]
  const from = random.pick(starts)
  editor.replace(from, from, random.onceIn(5) ? `\n${added}` : added)
  typed.push(added.trim())
}

const readTask = async (actor: Actor, task_id: number) =>
  (await actor['tasks.get']({ task_id, format: 'markdown' })) as TaskRecord

/** Deletes a token of anybody. */
function deleteToken({ random, deleted }: Session, editor: Editor) {
  const found = [...editor.text.matchAll(/[A-Z][a-z]+\d+ /g)]
  if (!found.length) return
  const { index, 0: token } = random.pick(found)
  editor.replace(index, index + token.length, '')
  deleted.add(token.trim())
}

/** An agent writes the whole text over the REST API, based on the version that it has read. */
async function writeAsAgent({ w, address, typed }: Session) {
  const added = token('Bot', typed.length)
  const { bot } = w
  if (address.page_id) {
    const page_id = address.page_id
    const { content, version } = await bot['pages.get']({ page_id, format: 'markdown' })
    await bot['pages.update']({ page_id, content: `${added}${content}`, if_version: version })
  } else {
    const task_id = address.task_id!
    const task = await readTask(bot, task_id)
    await bot['tasks.update']({
      ...{ task_id, description: `${added}${task.description}`, content_type: 'markdown' },
      if_version: task.description_version,
    })
  }
  typed.push(added.trim())
}

async function act(session: Session) {
  const { w, editors, random } = session
  const editor = random.pick(editors)
  const choice = random.below(10)
  if (choice < 4) typeToken(session, editor, editor.actor.caller.name)
  else if (choice < 5) deleteToken(session, editor)
  else if (choice < 7) await editor.push()
  else if (choice < 8) await editor.pull()
  else if (choice < 9) await writeAsAgent(session)
  else await saveTexts(w)
}

async function start(seed: number, kind: 'task' | 'page'): Promise<Session> {
  const w = await world()
  const { ada, ben, bot, tasks } = w
  const { task_id } = tasks.logo
  await bot['leases.claim']({ task_id })
  await ada['tasks.update']({ task_id, description: 'Start ', content_type: 'markdown' })
  const page = kind === 'page' && (await ada['pages.create']({ task_id, content: 'Start ' }))
  const address = page ? { page_id: page.page_id } : { task_id }
  const editors = [
    await Editor.open(ada, address, 'ada 1'),
    await Editor.open(ada, address, 'ada 2'),
    await Editor.open(ben, address, 'ben'),
  ]
  return { w, editors, address, random: new Random(seed), typed: [], deleted: new Set() }
}

const storedText = async ({ w, address }: Session) => {
  const { page_id, task_id } = address
  return page_id === undefined
    ? (await readTask(w.ada, task_id!)).description
    : (await w.ada['pages.get']({ page_id, format: 'markdown' })).content
}

/** Two edits beside each other may lose the space between their tokens. */
const countOf = (text: string, token: string) =>
  [...text.matchAll(new RegExp(`${token}(?!\\d)`, 'g'))].length

for (let seed = 1; seed <= scaleCount(5, 100); seed++)
  test(`random edits of two people and an agent are all in the text, seed ${seed}`, async () => {
    const session = await start(seed, seed % 2 ? 'task' : 'page')
    for (let round = 0; round < ROUNDS; round++) await act(session)
    const { w, editors, typed, deleted } = session
    for (const editor of editors) await editor.settle()
    for (const editor of editors) await editor.pull()
    await saveTexts(w)
    const text = (await storedText(session))!
    for (const editor of editors) expect(editor.text).toBe(text)
    for (const added of typed)
      expect([added, countOf(text, added)]).toEqual([added, deleted.has(added) ? 0 : 1])
  })
