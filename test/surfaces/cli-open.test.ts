import { afterAll, expect, test } from 'bun:test'
import { removeTemporaryFolders, terminal } from '../support/terminal.ts'
import { world } from '../support/world.ts'

afterAll(removeTemporaryFolders)

test('open shows a task in the browser, also by the key that it had in another product', async () => {
  const w = await world()
  const { ada, team_id } = w
  const origin = { id: 'rope', title: 'Rope' }
  const { import_id } = await ada['imports.start']({ team_id, source: 'beads', origin })
  const board = { id: 'b', title: 'Rope', columns: [{ title: 'Open' }], labels: [], fields: [] }
  const task = { id: 't', board: 'b', column: 'Open', title: 'Splice', key: 'bd-a3f8' }
  await ada['imports.write']({ import_id, records: [{ board }, { task }] })
  const opened: string[] = []
  const t = terminal(w, ada, { browse: async (url) => void opened.push(url) })
  const { out, err } = await t.cork('open', 'bd-a3f8')
  expect(err).toBe('')
  expect(out.trim()).toMatch(/^http:\/\/localhost\/t\/[A-Z]+-1$/)
  expect(opened).toEqual([out.trim()])
  const unknown = await t.cork('open', 'NOPE-1')
  expect([unknown.code, opened.length]).toEqual([1, 1])
  expect(unknown.err).toContain('There is no task NOPE-1')
})
