import { expect, test } from 'bun:test'
import type { Logger } from 'pino'
import type { TaskRecord } from '../../../../src/features/tasks/records/model/index.ts'
import { toText } from '../../../../src/kernel/text-changes/index.ts'
import { restore } from '../../../../src/web/entities/editor/shared-text/restore.ts'
import { TextSaver } from '../../../../src/workers/text-saver.ts'
import { faultOf } from '../../../support/faults.ts'
import { type Actor, type World, world } from '../../../support/world.ts'
import { Editor } from './editors.ts'
import { saveTexts } from './save-texts.ts'

const TEXT = 'Red.\nBlue.'

async function openEditors(w: World) {
  const { task_id } = w.tasks.logo
  await w.ada['tasks.update']({ task_id, description: TEXT, content_type: 'markdown' })
  const ada = await Editor.open(w.ada, { task_id }, 'ada')
  const ben = await Editor.open(w.ben, { task_id }, 'ben')
  return { ada, ben, task_id }
}

const readTask = async (actor: Actor, task_id: number) =>
  (await actor['tasks.get']({ task_id, format: 'markdown' })) as TaskRecord

const versions = async ({ ada }: World, task_id: number) => {
  const { items } = await ada['tasks.versions']({ task_id, format: 'markdown' })
  return items.map(({ author, description }) => [author.name, description])
}

test('two people who type in turns get one version each when they pause', async () => {
  const w = await world()
  const { ada, ben, task_id } = await openEditors(w)
  for (const word of ['One ', 'Two ', 'Three ']) {
    ada.replace(0, 0, word)
    await ada.settle()
    await ben.pull()
    ben.replace(ben.text.length, ben.text.length, ` ${word.trim()}`)
    await ben.settle()
    await ada.pull()
  }
  expect((await readTask(w.ada, task_id)).description).toBe(TEXT)
  await saveTexts(w)
  expect((await versions(w, task_id)).slice(0, 3)).toEqual([
    ['Ben', 'Three Two One Red.\nBlue. One Two Three'],
    ['Ada', 'Three Two One Red.\nBlue.'],
    ['Ada', TEXT],
  ])
  await saveTexts(w)
  expect((await versions(w, task_id)).length).toBe(4)
})

test('a write with the current version is merged with what is unsaved', async () => {
  const w = await world()
  const { ada, task_id } = await openEditors(w)
  ada.replace(0, 0, 'Dark ')
  await ada.settle()
  const { description_version: if_version } = await readTask(w.ben, task_id)
  const description = 'Red.\nLight blue.'
  await w.ben['tasks.update']({ task_id, description, content_type: 'markdown', if_version })
  await ada.pull()
  expect(ada.text).toBe('Dark Red.\nLight blue.')
  await saveTexts(w)
  expect((await readTask(w.ben, task_id)).description).toBe('Dark Red.\nLight blue.')
  const stale = w.ben['tasks.update']({ task_id, description: 'x', if_version })
  expect((await faultOf(stale)).code).toBe('conflict')
})

test('what was sent before a reload is not sent again, though its answer was lost', async () => {
  const w = await world()
  const { ada, ben, task_id } = await openEditors(w)
  for (const typed of ['D', 'a', 'r', 'k']) ada.replace(ada.text.length, ada.text.length, typed)
  await ada.send()
  await ben.pull()
  ben.replace(0, 0, 'Ben. ')
  await ben.settle()
  ada.replace(0, 'Red'.length, 'Green')
  const reloaded = await Editor.restore(ada, 'reloaded')
  await reloaded.settle()
  await saveTexts(w)
  const text = 'Ben. Green.\nBlue.Dark'
  expect((await readTask(w.ada, task_id)).description).toBe(text)
  expect(reloaded.text).toBe(text)
})

test('what was sent is not sent again when the server knows only the saved text', async () => {
  const w = await world()
  const { ada, task_id } = await openEditors(w)
  ada.replace(0, 0, 'Q')
  await ada.send()
  await saveTexts(w)
  const left = { text: ada.text, over: TEXT }
  const { number, text } = await w.ada['shared_texts.get']({ task_id })
  const { typed } = restore(left, { number, text: text! })
  expect(typed.map(({ empty }) => empty)).toEqual([true])
  const continued = restore({ ...left, text: `${ada.text}!` }, { number, text: text! })
  const [changes] = continued.typed
  expect(changes!.apply(toText(text!)).toString()).toBe(`Q${TEXT}!`)
})

test('a stored HTML description is edited as markdown', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const ada = await Editor.open(w.ada, { task_id }, 'ada')
  expect(ada.text.trim()).toBe('In two colours.')
  ada.replace(0, 2, 'With')
  await ada.settle()
  await saveTexts(w)
  const { description, content_type } = await readTask(w.ada, task_id)
  expect([description!.trim(), content_type]).toEqual(['With two colours.', 'markdown'])
})

test('an editor that closes in mid-sentence saves, and a text may become empty', async () => {
  const w = await world()
  const { ada, task_id } = await openEditors(w)
  ada.replace(0, ada.text.length, '')
  await ada.settle()
  await saveTexts(w)
  expect((await readTask(w.ada, task_id)).description).toBe('')
  const again = await Editor.open(w.ada, { task_id }, 'again')
  again.replace(0, 0, 'Green.')
  await again.settle()
  await saveTexts(w)
  expect((await readTask(w.ada, task_id)).description).toBe('Green.')
})

test('a name typed with @ is notified once', async () => {
  const w = await world()
  const { ada } = await openEditors(w)
  ada.replace(0, 0, '@Ben ')
  await ada.settle()
  await saveTexts(w)
  ada.replace(0, 0, 'Please ask ')
  await ada.settle()
  await saveTexts(w)
  const mentions = (await w.changeTypes()).filter((type) => type === 'task.mentioned')
  expect(mentions).toEqual(['task.mentioned'])
})

test('changes that do not fit the text are refused', async () => {
  const w = await world()
  const { ada, task_id } = await openEditors(w)
  const number = ada.sync.number(ada.state)
  const push = (changes: Parameters<Actor['shared_texts.push']>[0]['changes']) =>
    faultOf(w.ada['shared_texts.push']({ task_id, number, client_id: 'ada', changes }))
  for (const change of [[3], [[1]], [[0, 'a', 'b\nc'], 10], [[0, 4]]])
    expect((await push([change])).code).toBe('invalid')
})

test('several lines typed into a page are saved in its history', async () => {
  const w = await world()
  const { task_id } = w.tasks.logo
  const { page_id } = await w.ada['pages.create']({ task_id, content: '# Colours' })
  const ben = await Editor.open(w.ben, { page_id }, 'ben')
  ben.replace(9, 9, '\n\nRed.')
  await ben.settle()
  await w.ada['pages.update']({ page_id, content: 'Blue.', mode: 'append' })
  await ben.pull()
  expect(ben.text).toBe('# Colours\n\nRed.\n\nBlue.')
  await saveTexts(w)
  const { content, version } = await w.ada['pages.get']({ page_id, format: 'markdown' })
  expect([content, version]).toEqual([ben.text, 3])
})

test('a text that cannot be converted is reported to its editors until it is shortened', async () => {
  const w = await world()
  const { ada, task_id } = await openEditors(w)
  const saved: unknown[] = []
  const stop = w.signals.subscribe(({ type, data }) => type === 'text.saved' && saved.push(data))
  const { store, dispatch, signals, clock } = w
  const log = { error: () => expect.unreachable() } as unknown as Logger
  const saver = new TextSaver({ store, dispatch, signals, clock: clock.read, log })
  const ref = { team_id: w.team_id, kind: 'task' as const, text_id: task_id }
  ada.replace(0, TEXT.length, '*x* '.repeat(20_000))
  await ada.settle()
  await saver.saveAll()
  expect(saved).toEqual([
    {
      ...ref,
      refusal: { message: expect.stringContaining('20000 elements'), hint: expect.any(String) },
    },
  ])
  expect((await readTask(w.ada, task_id)).description).toBe(TEXT)
  ada.replace(0, ada.text.length, 'Green.')
  await ada.settle()
  await saver.saveAll()
  expect(saved.slice(1)).toEqual([{ ...ref, refusal: undefined }])
  expect((await readTask(w.ada, task_id)).description).toBe('Green.')
  stop()
})
