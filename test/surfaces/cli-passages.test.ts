import { afterAll, expect, test } from 'bun:test'
import { hasPassages, renderPassages } from '../../src/surfaces/cli/passages.ts'
import { removeTemporaryFolders, terminal } from '../support/terminal.ts'
import { world } from '../support/world.ts'

afterAll(removeTemporaryFolders)

test('help results are printed one below another, each with its headings and its link', async () => {
  const w = await world()
  const { cork } = terminal(w, w.cleo)
  const { code, out } = await cork('search', 'help', 'How do I restore a backup?', '--limit', '2')
  expect(code).toBe(0)
  expect(out).toStartWith(
    'Backup and restore › Restore a backup\nhttp://localhost/docs/manual/backup#restore-a-backup\n\n```sh\ncork restore ',
  )
  expect(out.match(/^http:/gm)).toHaveLength(2)
  const json = await cork('search', 'help', 'restore a backup', '--json')
  expect(JSON.parse(json.out)).toHaveLength(4)
})

test('a help search without a match says so on standard error', async () => {
  const w = await world()
  const { code, out, err } = await terminal(w, w.cleo).cork('search', 'help', 'zzqx')
  expect([code, out]).toEqual([0, ''])
  expect(err).toContain('No match in the manual')
  expect(err).toContain('Nothing to list')
})

test('passages are printed under their headings and without control characters', () => {
  const source = { ticket_number: 'HOM-1', title: 'Fence', headings: ['Paint'], url: 'u' }
  const rows = [
    { source, text: 'Green\x1b[31m\x07 it is\n' },
    { source, text: 'White' },
  ]
  expect(renderPassages('search.semantic', rows, { colour: false })).toBe(
    'HOM-1 › Fence › Paint\nu\n\nGreen it is\n\nHOM-1 › Fence › Paint\nu\n\nWhite',
  )
  const related = [{ ticket_number: 'HOM-2', title: 'Gate', url: 'v', passage: 'Hinge' }]
  expect(renderPassages('search.related', related, { colour: true })).toBe(
    '\x1b[1mHOM-2 › Gate\x1b[22m\nv\n\nHinge',
  )
  expect(hasPassages('constructor')).toBe(false)
})
