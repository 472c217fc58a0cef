import { expect, test } from 'bun:test'
import { type Format, loadConverter } from '../../src/content/index.ts'
import { cleanRecord } from '../../src/transfer/import/clean.ts'
import { corpus, type Sample } from '../content/corpus/index.ts'
import { shownOfHtml, shownOfMarkdown, unmarked, visible } from '../content/visible.ts'
import { isFull, seed as offset, scaleCount } from '../support/scale.ts'
import { type World, world } from '../support/world.ts'
import { exportedLines, type Lines, roundTrip } from './round-trip.ts'

const ONE_OF = scaleCount(15, 1)
const texts = corpus.filter((_, at) => (at + offset) % ONE_OF === 0)
const GIVEN = ['html', 'markdown'] as const

/** Writes a text into every text field of tasks, comments and pages. */
async function writeAll(w: World, { text }: Sample) {
  const { ada, board, tasks } = w
  const { project_id } = board
  const { task_id } = tasks.logo
  w.clock.advance(1000)
  for (const content_type of GIVEN) {
    const described = { description: text, content_type }
    await ada['tasks.create']({ project_id, title: 'Task', ...described })
    await ada['tasks.update']({ task_id, ...described })
    await ada['comments.add']({ task_id, text, content_type })
    const page = await ada['pages.create']({ task_id, title: 'Page', content: text, content_type })
    const version = { content: `${text}\n\nmore`, content_type, note: 'More' }
    await ada['pages.update']({ page_id: page.page_id, ...version })
  }
}

/** Writes a text into the fields of which a board has one or a few. */
async function writeBoard(w: World, { text }: Sample) {
  const { ada, board, bot, tasks } = w
  const { project_id } = board
  const { task_id } = tasks.logo
  await ada['projects.update']({ project_id, description: text })
  await ada['projects.set_instructions']({ project_id, custom_instruction: text })
  await ada['projects.set_playbook']({
    ...{ project_id, working_rules: text, notes: text, definition_of_done: [text] },
  })
  await ada['skills.create']({ name: 'Skill', body: text, scope: 'project', project_id })
  const child = { project_id, title: 'Child', parent_task_id: task_id }
  await ada['tasks.create']({ ...child, description: text, content_type: 'html' })
  await ada['tasks.update']({ task_id, description: text, content_type: 'markdown' })
  await ada['templates.create']({ taskId: task_id, includeSubtasks: true })
  await bot['decision_requests.create']({
    task_id,
    question: text,
    note: text,
    options: ['a', 'b'],
  })
  await bot['evidence.add']({ task_id, kind: 'note', summary: text })
  await ada['time.log']({ task_identifier: task_id, minutes: 5, note: text })
}

const out = (w: World): Promise<Lines> =>
  w.store.read((tx) => exportedLines(tx, w.team_id, w.clock.now))

/** The lines as JSON, to be compared one by one. */
const withoutIds = (lines: Lines) =>
  lines.filter((line) => !('export' in line)).map((line) => JSON.stringify(line))

test('texts in every field of a board are the same after an export and an import', async () => {
  const w = await world()
  for (const one of texts) await writeAll(w, one)
  const lines = await out(w)
  expect(withoutIds(await roundTrip(lines))).toEqual(withoutIds(lines))
}, 600_000)

const short = texts.filter(({ text }) => text.length <= 500)
for (const one of isFull ? short.filter((_, at) => at % 10 === 0) : short.slice(0, 3))
  test(`${one.name}: texts of a board itself are the same after an export and an import`, async () => {
    const w = await world()
    await writeBoard(w, one)
    const lines = await out(w)
    expect(withoutIds(await roundTrip(lines))).toEqual(withoutIds(lines))
  })

test('imported texts without content_type keep every visible character', async () => {
  const converter = await loadConverter()
  for (const one of texts) {
    const cleaned = cleanRecord(converter, 'comment', { text: one.text }) as Cleaned
    const visibleText = visible(converter.html(cleaned.text, cleaned.content_type))
    if (cleaned.content_type === 'html') expect(visibleText).toBe(shownOfHtml(one))
    else expect([cleaned.text, unmarked(visibleText)]).toEqual([one.text, shownOfMarkdown(one)])
  }
})

interface Cleaned {
  text: string
  content_type: Format
}
