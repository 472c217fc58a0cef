import { afterAll, expect, test } from 'bun:test'
import { fixtureFiles } from '../../import/read-source.ts'
import { removeTemporaryFolders } from '../../support/terminal.ts'
import { syncWorld } from './sync-world.ts'

afterAll(removeTemporaryFolders)

const FIXTURES = [
  ['backlog', 'backlog'],
  ['beads', 'beads'],
  ['taskmaster', 'taskmaster/tagged'],
  ['taskmaster', 'taskmaster/old'],
] as const

/** The readers report this file and lines as damaged, and a sync refuses them. */
const DAMAGED = /Damaged\.md$/

const withoutDamagedLines = (path: string, text: string) =>
  path.endsWith('.jsonl') ? text.split('\n').filter(isJson).join('\n') : text

function isJson(line: string): boolean {
  try {
    return line === '' || JSON.parse(line.replace('\uFEFF', '')) !== undefined
  } catch {
    return false
  }
}

for (const [source, fixture] of FIXTURES)
  test(`files with everything stay as they are while nothing changes: ${fixture}`, async () => {
    const all = (await fixtureFiles(fixture)).filter(({ path }) => !DAMAGED.test(path))
    const texts = await Promise.all(
      all.map(async ({ path, bytes }) => {
        const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
        return [path, withoutDamagedLines(path, decoder.decode(await bytes()))] as const
      }),
    )
    const s = await syncWorld(source, Object.fromEntries(texts))
    const unchanged = () => texts.filter(([path, text]) => s.read(path) !== text)
    expect(await s.sync()).toMatchObject({ code: 0 })
    expect(unchanged()).toEqual([])
    expect(await s.sync()).toMatchObject({ code: 0, out: [] })
    expect(unchanged()).toEqual([])
  })
