import { expect, test } from 'bun:test'
import { type File, readFiles } from '../support/source-files.ts'

/** Words that readers do not expect, and their plain replacements. */
type Banned = readonly (readonly [words: RegExp, instead: string])[]

/** Banned in all prose and code. */
const BANNED: Banned = [
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
  [/\b(doorkeeper|ears|seers|hung|begets?)\b/i, 'the name of the thing'],
  [/\b(dice|hasty|yardsticks?)\b/i, 'random, the name of the setting, baseline'],
  [/\b(sideBySide|inTurn|turn by turn)\b/i, 'compareRuns, roundRobin, in alternation'],
  [/\bover and over\b/i, 'repeatedly'],
]

/** Banned in scripts and benches only. */
const BANNED_IN_SCRIPTS: Banned = [
  ...BANNED,
  [/\b(told|heard|asked|begun|kept)\b/i, 'a noun, or received, requested, started, stored'],
  [/\b(house|shelf)\b/i, 'server, segment'],
  [/\bletters\b/i, 'characters, emails'],
  [/\b(nobody|another's)\b/i, 'no client, of another client'],
  [/\bremarks?\b/i, 'note'],
]

/** Names that do not say what they hold. Banned in the declarations of the product and its tests. */
const BANNED_NAMES: Banned = [
  [/^(told|tell)$/, 'changes, message, errors'],
  [/^(asked|asking)$/, 'query, request, input, filter'],
  [/^(said|heard|hear)$/, 'response, messages, requests'],
  [/^(kept|Kept)$/, 'stored, versions, the name of the record'],
  [/^(begun|began)$/, 'startedAt, initial'],
  [/^(shelves|shelf|library)$/, 'index, segment, searchIndex'],
  [/^(house|desk|door|roof)$/, 'server, setup, client, gateway'],
  [/^(deeds?|doings|story|manners?|scribes)$/, 'writes, changes, history, strategy, authors'],
  [/^(seek|looks?|looked)$/, 'search, check, preview'],
  [/^letters?$/, 'character, email, request'],
  [/^(nobody|somebody|someone|whom?|theirs|hers)$/, 'actor, caller, the name of the person'],
  [/^(there|nowhere|everywhere|away)$/, 'the name of the place'],
  [/^(played|peopled|leafed|lined|spoilt|dressed|aged)$/, 'a verb: create, list, change'],
  [/^(dice|roll|sides|chance)$/, 'random, below, limit'],
  [/^more$/, 'overrides, extra'],
]

/** The demo's texts are fiction, and this file lists the words. */
const EXEMPT = /^(src\/demo\/|test\/tidy\/words\.test\.ts$)/

const violationsIn = (files: readonly File[], banned: Banned): string[] =>
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

const DECLARATION = /\b(?:const|let|class|interface|type|function\*?) (?:(\w+)|\[([\w\s,.]*)\])/g

/** The names that a line declares, also in an array pattern. */
const declaredNames = (line: string): string[] =>
  [...line.matchAll(DECLARATION)].flatMap(([, name, pattern]) =>
    name ? [name] : (pattern!.match(/\w+/g) ?? []),
  )

const badNamesIn = (files: readonly File[]): string[] =>
  files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, at) =>
      declaredNames(line).flatMap((name) => {
        const instead = BANNED_NAMES.find(([names]) => names.test(name))?.[1]
        return instead ? [`${path}:${at + 1}: ${name} → ${instead}`] : []
      }),
    ),
  )

test('the product, its docs and its tests use the words of the trade', () => {
  const files = readFiles(
    ...['src/**/*.{ts,tsx,css,md}', 'test/**/*.ts', 'docs/*.md', 'README.md', 'CONTRIBUTING.md'],
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

test('names in the product and its tests say what they hold', () => {
  const files = readFiles('src/**/*.{ts,tsx}', 'test/**/*.ts')
  const checked = files.filter(({ path }) => !EXEMPT.test(path))
  expect(badNamesIn(checked)).toEqual([])
  const example = {
    path: 'test/a.test.ts',
    text: 'const [change, ...told] = await list()\nfunction shelves() {}\nconst { asked } = row',
  }
  expect(badNamesIn([example])).toEqual([
    'test/a.test.ts:1: told → changes, message, errors',
    'test/a.test.ts:2: shelves → index, segment, searchIndex',
  ])
})
