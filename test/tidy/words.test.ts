import { expect, test } from 'bun:test'
import { files } from './files.ts'

/** Words of a private language, and what the trade says. */
const BANNED: readonly (readonly [words: RegExp, instead: string])[] = [
  [/\banew\b/i, 'again'],
  [/\bwhoever\b/i, 'the person who, people who, anyone who'],
  [/\ball the same\b/i, 'anyway, still'],
  [/\b(the|a) side bar\b/i, 'sidebar'],
  [/\bsub-task/i, 'subtask'],
  [/\be-mail\b/i, 'email'],
  [/\bput away\b/i, 'archive'],
  [/\b(is|are|was|were) told\b/i, 'is notified, receives'],
  [/\b(gave|given|gives|taken) (it )?back\b/i, 'released, undone'],
  [/\bin vain\b/i, 'without success'],
  [/\b(doorkeeper|helm|ears|seers|hung|begets?)\b/i, 'the name of the thing'],
]

/** The stories of the demo. */
const EXEMPT = /^src\/demo\//

test('the product and its docs use the words of the trade', () => {
  const found = files('{src/**/*.{ts,tsx,css,md},docs/*.md,README.md,CONTRIBUTING.md}')
    .filter(({ path }) => !EXEMPT.test(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, at) =>
        BANNED.flatMap(([words, instead]) => {
          const match = words.exec(line)
          return match ? [`${path}:${at + 1}: "${match[0]}" → ${instead}`] : []
        }),
      ),
    )
  expect(found).toEqual([])
})
