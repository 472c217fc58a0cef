import { expect, test } from 'bun:test'
import { type File, readFiles } from '../support/source-files.ts'

/** Words that readers do not expect, and their plain replacements. */
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
  [/\b(dice|hasty|yardsticks?)\b/i, 'random, the name of the setting, baseline'],
  [/\b(sideBySide|inTurn|turn by turn)\b/i, 'compareRuns, roundRobin, in alternation'],
  [/\bover and over\b/i, 'repeatedly'],
]

/** Banned in scripts and benches only. */
const BANNED_IN_SCRIPTS: typeof BANNED = [
  ...BANNED,
  [/\b(told|heard|asked|begun|kept)\b/i, 'a noun, or received, requested, started, stored'],
  [/\b(house|shelf)\b/i, 'server, segment'],
  [/\bletters\b/i, 'characters, emails'],
  [/\b(nobody|another's)\b/i, 'no client, of another client'],
  [/\bremarks?\b/i, 'note'],
]

/** The demo's texts are fiction. */
const EXEMPT = /^src\/demo\//

const violationsIn = (files: readonly File[], banned: typeof BANNED): string[] =>
  files.flatMap(({ path, text }) => {
    // Few files contain a banned word, and one search of the whole text is faster than by line.
    const found = banned.filter(([pattern]) => pattern.test(text))
    if (!found.length) return []
    return text.split('\n').flatMap((line, at) =>
      found.flatMap(([pattern, instead]) => {
        const match = pattern.exec(line)
        return match ? [`${path}:${at + 1}: "${match[0]}" → ${instead}`] : []
      }),
    )
  })

test('the product and its docs use the words of the trade', () => {
  const files = readFiles(
    ...['src/**/*.{ts,tsx,css,md}', 'docs/*.md', 'README.md', 'CONTRIBUTING.md'],
  )
  const checked = files.filter(({ path }) => !EXEMPT.test(path))
  expect(violationsIn(checked, BANNED)).toEqual([])
})

test('scripts and benches use the words of the trade', () => {
  const files = readFiles('scripts/**/*.{ts,mjs}', 'bench/**/*.md')
  expect(violationsIn(files, BANNED_IN_SCRIPTS)).toEqual([])
  const example = { path: 'scripts/a.ts', text: '\nconst heard = dice()' }
  expect(violationsIn([example], BANNED_IN_SCRIPTS)).toEqual([
    'scripts/a.ts:2: "dice" → random, the name of the setting, baseline',
    'scripts/a.ts:2: "heard" → a noun, or received, requested, started, stored',
  ])
})
