import { expect, test } from 'bun:test'
import {
  mergedIn,
  notesInMarkdown,
  previousTag,
} from '../../src/features/code/repositories/model/release.ts'
import type { FakeKind } from '../support/code-host.ts'
import { faultOf } from '../support/faults.ts'
import { SHA } from './host-events.ts'
import { linkedBoard } from './linked-board.ts'

test('the previous tag of a version is the next lower release, in whatever order tags are listed', () => {
  const tags = ['v1.10.0', 'v1.9.0', 'v1.10.0-rc.1', 'v2.0.0', 'api-v1.9.5', 'v2.0.0-rc.1']
  expect(previousTag(tags, 'v2.0.0')).toBe('v1.10.0')
  expect(previousTag(tags, 'v1.10.0')).toBe('v1.9.0')
  expect(previousTag(tags, 'v2.0.0-rc.1')).toBe('v1.10.0')
  expect(previousTag(tags, 'v1.9.0')).toBeUndefined()
  expect(previousTag(['winter', 'autumn', 'summer'], 'autumn')).toBe('summer')
})

test.each([
  ['Merge pull request #7 from acme/hp-1\n\nDraw it', 7, 'Draw it'],
  ["Merge pull request 'Draw it' (#7) from hp-1 into main", 7, 'Draw it'],
  ['Draw it (#7)\n\n* wip', 7, 'Draw it'],
  ['Revert "Draw it (#5)" (#7)', 7, 'Revert "Draw it (#5)"'],
  ["Merge branch 'hp-1' into 'main'\n\nDraw it\n\nSee merge request acme/site!7", 7, 'Draw it'],
])('the commit %p merged a pull request', (message, number, title) => {
  expect(mergedIn(message)).toEqual({ number, title })
})

test('a commit that mentions an issue merged nothing', () => {
  expect(mergedIn('Fix #7')).toBeUndefined()
  expect(mergedIn('See issue (#7) for details')).toBeUndefined()
})

test('titles cannot add links or headings to the notes', () => {
  const url = 'https://host.example/acme/site/pulls/7'
  const pull_requests = [{ url, title: '[x](https://bad.example) <b>', tickets: [] }]
  expect(notesInMarkdown({ tag: 'v1', pull_requests, tasks: [] })).toBe(
    `# v1\n\n- \\[x\\](https://bad.example) \\<b\\> ([#7](${url}))`,
  )
})

const MESSAGES: Record<FakeKind, string> = {
  github: 'Merge pull request #7 from acme/hp-1\n\nDraw it',
  forgejo: "Merge pull request 'Draw it' (#7) from hp-1 into main",
  gitlab: "Merge branch 'hp-1' into 'main'\n\nDraw it\n\nSee merge request acme/site!7",
}

test.each<FakeKind>(['github', 'forgejo', 'gitlab'])(
  'release notes of %s list merged pull requests with the tasks of this board',
  async (kind) => {
    const board = await linkedBoard(kind)
    const { w, repository, project_id } = board
    const { repository_id } = board.linked
    repository.tags = ['v1.1.0', 'v1.0.0']
    repository.commits = [
      { sha: 'f'.repeat(40), message: MESSAGES[kind] },
      { sha: SHA, message: 'Write the copy' },
      { sha: 'e'.repeat(40), message: 'Fix HP-3' },
    ]
    const path = { github: 'pull', forgejo: 'pulls', gitlab: '-/merge_requests' }[kind]
    const url = (number: number) => `https://host.example/acme/site/${path}/${number}`
    const sync = (fields: object) =>
      w.ada['pull_requests.sync']({ project_id, state: 'merged', ...fields })
    await sync({ urls: [url(7)], title: 'HP-1: draw it' })
    await sync({ urls: [url(8)], title: 'HP-2: write it', sha: SHA })
    await sync({ urls: [url(9)], title: 'HP-3: next release' })
    const notes = await w.cleo['repositories.release_notes']({ project_id, repository_id })
    expect(notes).toMatchObject({ tag: 'v1.1.0', base: 'v1.0.0' })
    expect(notes.pull_requests).toEqual([
      { url: url(7), title: 'HP-1: draw it', tickets: ['HP-1'] },
      { url: url(8), title: 'HP-2: write it', tickets: ['HP-2'] },
    ])
    expect(notes.tasks.map(({ ticket_number }) => ticket_number)).toEqual(['HP-1', 'HP-2'])
    expect(notes.markdown).toContain(`(${url(7)})`)
    const of = (tag: string) =>
      faultOf(w.ada['repositories.release_notes']({ project_id, repository_id, tag }))
    expect((await of('v9')).message).toBe('acme/site has no tag v9')
    expect((await of('v1.0.0')).message).toBe('There is no tag before v1.0.0')
    const other = { project_id, repository_id }
    expect((await faultOf(w.otto['repositories.release_notes'](other))).code).toBe('not_found')
  },
)
