import { expect, test } from 'bun:test'
import { ACTIONS, PLACEHOLDERS, TRIGGERS } from '../../../../src/kernel/board-rules.ts'

const docs = await Bun.file(new URL('../../../../docs/rules.md', import.meta.url)).text()

/** The cells of a row of a table, without the backticks. */
const rowOf = (name: string) =>
  docs
    .split('\n')
    .find((line) => line.startsWith(`| \`${name}\` |`))
    ?.split('|')
    .slice(3, 5)
    .map((cell) => cell.trim().replaceAll('`', ''))

test('the manual lists every trigger and action with what it needs and takes', () => {
  for (const [name, { needs, takes }] of Object.entries({ ...TRIGGERS, ...ACTIONS }))
    expect([name, rowOf(name)]).toEqual([name, [needs.join(', '), takes.join(', ')]])
  for (const name of PLACEHOLDERS) expect(docs).toContain(`{{${name}}}`)
})
