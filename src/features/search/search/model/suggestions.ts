import { and, eq, gte, lt } from 'drizzle-orm'
import { distance } from 'fastest-levenshtein'
import { plainOf } from '../../../../content/index.ts'
import type { Context, Tx } from '../../../../kernel/caller.ts'
import type { Term } from '../../../../search/query.ts'
import { termsOf } from '../../../../search/snippet.ts'
import { fold, tokensOf } from '../../../../search/words.ts'
import { idList, isInIdList } from '../../../../store/id-list.ts'
import type { LoggedChange } from '../../../../store/log.ts'
import { param, prepared } from '../../../../store/prepared.ts'
import { tasks } from '../../../tasks/tasks/model/index.ts'
import { searchTasks, type TaskSearch } from '../../filters/model/index.ts'
import type { TaskSearchInput } from './schema.ts'
import { searchWords } from './tables.ts'

/** Lengths of words that are corrected. Shorter ones resemble too many others. */
const MIN_LENGTH = 4
const MAX_LENGTH = 30
const isWord = new RegExp(`^\\p{L}{${MIN_LENGTH},${MAX_LENGTH}}$`, 'u')
/** Two swapped letters count as two edits. */
const maxEdits = (word: string) => (word.length < 5 ? 1 : 2)
const MAX_SCANNED = 5000
const MAX_TRIED = 3

/** Warns with a corrected query, if it finds tasks that the caller can see. */
export async function suggest(
  ctx: Context,
  input: TaskSearchInput,
  { query }: TaskSearch,
): Promise<void> {
  for (const { text, words } of termsOf(query).filter(isSingleWord)) {
    const word = fold(text)
    if (!words.length || !isWord.test(word)) continue
    for (const candidate of await similarWords(ctx.tx, word)) {
      const corrected = input.query.replace(text, candidate)
      const silentCtx = { ...ctx, warn: () => {} }
      const { hits } = await searchTasks(silentCtx, { ...input, query: corrected })
      if (!hits?.length) continue
      ctx.warn('query', 'did_you_mean', `No results. Did you mean ${corrected}?`)
      return
    }
  }
}

const isSingleWord = ({ words }: Term) => words.length === 1

/** Known words within a few edits, nearest first. They must begin with the same letter. */
async function similarWords(tx: Tx, word: string): Promise<string[]> {
  const limit = maxEdits(word)
  const first = String.fromCodePoint(word.codePointAt(0)!)
  const afterFirst = String.fromCodePoint(word.codePointAt(0)! + 1)
  const candidates: { word: string; edits: number }[] = []
  for (let size = word.length - limit; size <= word.length + limit; size++) {
    const rows = await statements(tx).similar.execute({ size, first, afterFirst })
    for (const row of rows) candidates.push({ ...row, edits: distance(word, row.word) })
  }
  return candidates
    .filter(({ edits: away }) => away > 0 && away <= limit)
    .sort((a, b) => a.edits - b.edits || (a.word < b.word ? -1 : 1))
    .slice(0, MAX_TRIED)
    .map((candidate) => candidate.word)
}

/** Number of words remembered as stored, so that they are not inserted again. */
const MAX_KNOWN = 50_000
const MAX_READ = 20_000

const statements = prepared((tx) => ({
  similar: tx
    .select({ word: searchWords.word })
    .from(searchWords)
    .where(
      and(
        eq(searchWords.size, param('size')),
        gte(searchWords.word, param('first')),
        lt(searchWords.word, param('afterFirst')),
      ),
    )
    .limit(MAX_SCANNED)
    .prepare('search_words_similar'),
  written: tx
    .select({
      title: tasks.title,
      description: tasks.description,
      content_type: tasks.content_type,
    })
    .from(tasks)
    .where(isInIdList(tasks.task_id, param('ids')))
    .prepare('search_words_written'),
  learn: tx
    .insert(searchWords)
    .values({ size: param('size'), word: param('word') })
    .onConflictDoNothing()
    .returning()
    .prepare('search_word_learn'),
}))

/** Returns a follower of the change log that stores the words of created and edited tasks. */
export function wordLearner(): (tx: Tx, changes: readonly LoggedChange[]) => Promise<void> {
  const known = new Set<string>()
  return async (tx, changes) => {
    const ids = new Set(changes.filter(changesWords).map(({ task_id }) => task_id!))
    if (!ids.size) return
    const rows = await statements(tx).written.execute({ ids: idList([...ids]) })
    const unknown = new Set<string>()
    for (const { title, description, content_type } of rows)
      for (const text of [title, plainOf((description ?? '').slice(0, MAX_READ), content_type)])
        for (const word of unstemmedWords(text)) if (!known.has(word)) unknown.add(word)
    if (known.size + unknown.size > MAX_KNOWN) known.clear()
    // Inserts in sorted order, so that concurrent writers cannot deadlock.
    const words = [...unknown].sort()
    const learn = (word: string) => statements(tx).learn.execute({ size: word.length, word })
    const inserted = await Promise.all(words.map(learn))
    // A word inserted just now may still be rolled back, so it is not remembered yet.
    for (const [at, word] of words.entries()) if (!inserted[at]!.length) known.add(word)
  }
}

function changesWords({ type, task_id, data }: LoggedChange): boolean {
  if (task_id === null) return false
  const changed = Array.isArray(data.changed) ? data.changed : []
  return (
    type === 'task.created' ||
    type === 'task.imported' ||
    (type === 'task.updated' && (changed.includes('title') || changed.includes('description')))
  )
}

/** Words without stemming, because suggestions show them. */
const unstemmedWords = (text: string): string[] =>
  tokensOf(text)
    .map(({ start, end }) => fold(text.slice(start, end)))
    .filter((word) => isWord.test(word))
