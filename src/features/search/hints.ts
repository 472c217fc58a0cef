import { and, eq, gte, lt } from 'drizzle-orm'
import { distance } from 'fastest-levenshtein'
import { plainOf } from '../../content/index.ts'
import type { Context, Tx } from '../../kernel/caller.ts'
import type { Term } from '../../search/query.ts'
import { termsOf } from '../../search/snippet.ts'
import { fold, tokensOf } from '../../search/words.ts'
import { amongListed, listed } from '../../store/fulltext.ts'
import type { Logged } from '../../store/log.ts'
import { param, prepared } from '../../store/prepared.ts'
import { type Sought, soughtTasks, tasks } from '../tasks/index.ts'
import type { Asked } from './schema.ts'
import { searchWords } from './tables.ts'

/** Shorter words are too near to too many others, and longer ones are no words. */
const LEAST = 4
const MOST = 30
const isWord = new RegExp(`^\\p{L}{${LEAST},${MOST}}$`, 'u')
/** Two letters that changed places are two mistakes. */
const mistakesIn = (word: string) => (word.length < 5 ? 1 : 2)
const MOST_LOOKED = 5000
const MOST_TRIED = 3

/** Where nothing was found: the words that may have been meant, if the caller finds tasks by them. */
export async function suggest(ctx: Context, input: Asked, { query }: Sought): Promise<void> {
  for (const { text, words } of termsOf(query).filter(isPlain)) {
    const word = fold(text)
    if (!words.length || !isWord.test(word)) continue
    for (const near of await wordsNear(ctx.tx, word)) {
      const meant = input.query.replace(text, near)
      const quiet = { ...ctx, warn: () => {} }
      const { hits } = await soughtTasks(quiet, { ...input, query: meant })
      if (!hits?.length) continue
      ctx.warn('query', 'did_you_mean', `Nothing was found. Did you mean ${meant}?`)
      return
    }
  }
}

const isPlain = ({ words }: Term) => words.length === 1

/** Known words that differ by a slip, the nearest first; a slip in the first letter is not guessed. */
async function wordsNear(tx: Tx, word: string): Promise<string[]> {
  const most = mistakesIn(word)
  const first = String.fromCodePoint(word.codePointAt(0)!)
  const beyond = String.fromCodePoint(word.codePointAt(0)! + 1)
  const near: { word: string; away: number }[] = []
  for (let size = word.length - most; size <= word.length + most; size++) {
    const some = await tx
      .select({ word: searchWords.word })
      .from(searchWords)
      .where(
        and(eq(searchWords.size, size), gte(searchWords.word, first), lt(searchWords.word, beyond)),
      )
      .limit(MOST_LOOKED)
    for (const one of some) near.push({ ...one, away: distance(word, one.word) })
  }
  return near
    .filter(({ away }) => away > 0 && away <= most)
    .sort((a, b) => a.away - b.away || (a.word < b.word ? -1 : 1))
    .slice(0, MOST_TRIED)
    .map((one) => one.word)
}

/** Words that are known to be known. */
const MOST_KEPT = 50_000
const MOST_LETTERS = 20_000

const statements = prepared((tx) => ({
  written: tx
    .select({
      title: tasks.title,
      description: tasks.description,
      content_type: tasks.content_type,
    })
    .from(tasks)
    .where(amongListed(tasks.task_id, param('ids')))
    .prepare('search_words_written'),
  learn: tx
    .insert(searchWords)
    .values({ size: param('size'), word: param('word') })
    .onConflictDoNothing()
    .returning()
    .prepare('search_word_learn'),
}))

/** Follows the change log and keeps the words of the tasks that were written. */
export function wordLearner(): (tx: Tx, changes: readonly Logged[]) => Promise<void> {
  const known = new Set<string>()
  return async (tx, changes) => {
    const ids = new Set(changes.filter(isWritten).map(({ task_id }) => task_id!))
    if (!ids.size) return
    const written = await statements(tx).written.execute({ ids: listed([...ids]) })
    const fresh = new Set<string>()
    for (const { title, description, content_type } of written)
      for (const text of [title, plainOf((description ?? '').slice(0, MOST_LETTERS), content_type)])
        for (const word of rawWords(text)) if (!known.has(word)) fresh.add(word)
    if (known.size + fresh.size > MOST_KEPT) known.clear()
    // In one order, so that two who do this do not wait for each other.
    for (const word of [...fresh].sort()) {
      const made = await statements(tx).learn.execute({ size: word.length, word })
      // One that was made just now may be undone.
      if (!made.length) known.add(word)
    }
  }
}

function isWritten({ type, task_id, data }: Logged): boolean {
  if (task_id === null) return false
  const changed = Array.isArray(data.changed) ? data.changed : []
  return (
    type === 'task.created' ||
    (type === 'task.updated' && (changed.includes('title') || changed.includes('description')))
  )
}

/** As they are written, so that nobody is told the stem of a word. */
const rawWords = (text: string): string[] =>
  tokensOf(text)
    .map(({ start, end }) => fold(text.slice(start, end)))
    .filter((word) => isWord.test(word))
