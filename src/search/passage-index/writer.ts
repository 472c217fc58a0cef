import type { Database } from 'bun:sqlite'
import { setImmediate } from 'node:timers/promises'
import { type Passage, splitPassages } from '../segments/passages.ts'
import type { IndexedPassage } from '../segments/segment.ts'
import { indexedTerms, readWords } from '../words/terms.ts'
import { addKnown, type KnownWord } from '../words/vocabulary.ts'
import type { SourceChange } from './board-index.ts'
import { analyse, encodeTerms, indexedPassage, type PassageTerms } from './passage-terms.ts'
import { numberOf, type Source, type StoredPassage, sourceStatements, UNREAD } from './sources.ts'
import {
  type IndexLog,
  type IndexUpdate,
  type LogPosition,
  type SearchableText,
  Unready,
} from './types.ts'
import type { VocabularyWriter } from './vocabulary.ts'

/** Indexing yields after this time, so that questions are answered in between. */
const SLICE_MS = 8

/** A passage to write: an existing one by its id, or a new one with its terms. */
interface PlannedPassage {
  id?: number
  /** Current ordinal of an existing passage. */
  previousOrdinal?: number
  content: { headings: string; text: string }
  terms?: PassageTerms
}

/** How to update a text. If `passages` is undefined, its passages are unchanged. */
interface Plan {
  before: Source | undefined
  after: Omit<Source, 'source'>
  passages: PlannedPassage[] | undefined
  removed: number[]
  words: KnownWord[]
}

/** Applies updates: splits and analyses all texts first, then writes them in one transaction. */
export class IndexWriter {
  private readonly sources
  private readonly statements

  constructor(
    private readonly db: Database,
    private readonly vocabulary: VocabularyWriter,
    private readonly log: IndexLog,
  ) {
    this.sources = sourceStatements(db)
    this.statements = {
      fresh: db.query('INSERT INTO fresh (project, id, terms) VALUES (?, ?, ?)'),
      stale: db.query('DELETE FROM fresh WHERE project = ? AND id = ?'),
      gone: db.query('INSERT INTO gone (project, id) VALUES (?, ?)'),
      position: db.query<LogPosition, []>('SELECT seq, mark FROM place WHERE one = 1'),
      savePosition: db.query('INSERT OR REPLACE INTO place (one, seq, mark) VALUES (1, ?, ?)'),
    }
  }

  /** Returns the changes of each board. */
  async apply({
    put,
    deleted,
    from: after,
    position: place,
  }: IndexUpdate): Promise<Map<number, SourceChange[]>> {
    const texts = new Map(put.map((text) => [`${text.kind} ${text.id}`, text]))
    const plans: Plan[] = []
    const pause = yieldEvery()
    for (const text of texts.values()) plans.push(await this.plan(text, pause))
    const changes = new Map<number, SourceChange[]>()
    const record = (project: number, change: SourceChange) => {
      const before = changes.get(project)
      if (before) before.push(change)
      else changes.set(project, [change])
    }
    this.db.transaction(() => {
      this.checkPosition(after)
      for (const { kind, id } of deleted)
        if (!texts.has(`${kind} ${id}`))
          this.removeSource(this.sources.byRef.get(numberOf(kind), id), record)
      for (const plan of plans) this.write(plan, record)
      if (place) this.savePosition(place)
    })()
    return changes
  }

  private async plan(text: SearchableText, pause: () => Promise<void> | undefined): Promise<Plan> {
    const kind = numberOf(text.kind)
    const before = this.sources.byRef.get(kind, text.id) ?? undefined
    const after = {
      kind,
      ref: text.id,
      project: text.project_id,
      task: text.task_id,
      author: text.author_id,
      written_at: text.written_at.getTime(),
      title: text.title,
      digest: digestOf(text) ?? before?.digest ?? UNREAD,
    }
    const isSameContext = before?.title === after.title && before.project === after.project
    if (isSameContext && before.digest === after.digest)
      return { before, after, passages: undefined, removed: [], words: [] }
    const stored = before ? this.sources.passages.all(before.source) : []
    const unchanged = new Map(
      isSameContext
        ? stored.map((passage) => [`${passage.headings}\n${passage.text}`, passage])
        : [],
    )
    const passages: PlannedPassage[] = []
    const titleWords = readWords(text.title)
    const words = new Set<KnownWord>()
    if (!isSameContext) addKnown(words, titleWords)
    const title = indexedTerms(titleWords)
    for (const passage of this.passagesOf(text, stored)) {
      const turn = pause()
      if (turn) await turn
      const content = { headings: JSON.stringify(passage.headings), text: passage.text }
      const key = `${content.headings}\n${content.text}`
      const match = unchanged.get(key)
      unchanged.delete(key)
      if (match) passages.push({ id: match.id, previousOrdinal: match.ordinal, content })
      else passages.push({ content, terms: analyse(title, passage, words) })
    }
    const stays = new Set(passages.map(({ id }) => id))
    const removed = stored.flatMap(({ id }) => (stays.has(id) ? [] : [id]))
    return { before, after, passages, removed, words: [...words] }
  }

  /** A text without content still gets an empty passage, so that its title is found. */
  private passagesOf(
    { kind, id, text, format }: SearchableText,
    stored: readonly StoredPassage[],
  ): Passage[] {
    try {
      const passages = text === undefined ? stored.map(toPassage) : splitPassages(text, format)
      if (passages.length) return passages
    } catch (error) {
      // One text with an unexpected error must not keep the others out of the index.
      this.log.error({ err: error, kind, id }, 'A text is found by its title only')
    }
    return [{ headings: [], text: '' }]
  }

  private write({ before, after, passages, removed, words }: Plan, record: RecordChange): void {
    const source = { ...after, source: before?.source ?? this.addSource(after) }
    if (before) this.updateSource(source)
    const here = { source, isOnBoard: true }
    if (!passages) {
      record(source.project, { ...here, added: [], removed: [], words: [] })
      return
    }
    this.dropPassages(before?.project ?? source.project, removed)
    const added: IndexedPassage[] = []
    for (const [ordinal, { id, previousOrdinal, content, terms }] of passages.entries())
      if (id === undefined) added.push(this.addPassage(source, ordinal, content, terms!))
      else if (previousOrdinal !== ordinal) this.sources.setOrdinal.run(ordinal, id)
    this.vocabulary.learn(source.project, words)
    if (before && before.project !== source.project) {
      record(before.project, { source: before, isOnBoard: false, added: [], removed, words: [] })
      record(source.project, { ...here, added, removed: [], words })
    } else record(source.project, { ...here, added, removed, words })
  }

  private addSource({
    kind,
    ref,
    project,
    task,
    author,
    written_at,
    title,
    digest,
  }: Plan['after']) {
    const { add } = this.sources
    return Number(
      add.run(kind, ref, project, task, author, written_at, title, digest).lastInsertRowid,
    )
  }

  private updateSource({ source, project, task, author, written_at, title, digest }: Source): void {
    this.sources.change.run(project, task, author, written_at, title, digest, source)
  }

  private addPassage(
    source: Source,
    ordinal: number,
    { headings, text }: PlannedPassage['content'],
    terms: PassageTerms,
  ): IndexedPassage {
    const { addPassage } = this.sources
    const id = Number(addPassage.run(source.source, ordinal, headings, text).lastInsertRowid)
    this.statements.fresh.run(source.project, id, encodeTerms(terms))
    return indexedPassage(id, source.source, terms)
  }

  private removeSource(source: Source | null, record: RecordChange): void {
    if (!source) return
    const removed = this.sources.idsOf.all(source.source).map(({ id }) => id)
    this.dropPassages(source.project, removed)
    this.sources.remove.run(source.source)
    record(source.project, { source, isOnBoard: false, added: [], removed, words: [] })
  }

  private dropPassages(project: number, ids: readonly number[]): void {
    for (const id of ids) {
      this.sources.removePassage.run(id)
      // If it is in a segment, it is marked as deleted until the segment is rebuilt.
      if (!this.statements.stale.run(project, id).changes) this.statements.gone.run(project, id)
    }
  }

  /** If the index was cleared in the meantime, it lacks the texts before this update. */
  private checkPosition(expected: LogPosition | undefined): void {
    const stored = this.statements.position.get()
    if (stored?.seq !== expected?.seq || stored?.mark !== expected?.mark)
      throw new Unready('The search index was emptied meanwhile')
  }

  private savePosition({ seq, mark }: LogPosition): void {
    this.statements.savePosition.run(seq, mark)
  }
}

type RecordChange = (project: number, change: SourceChange) => void

const digestOf = ({ text, format }: SearchableText) =>
  text === undefined ? undefined : `${format} ${Bun.hash(text)}`

const toPassage = ({ headings, text }: StoredPassage): Passage => ({
  headings: JSON.parse(headings),
  text,
})

/** Returns a function that gives a promise to await once a time slice is used up. */
function yieldEvery(): () => Promise<void> | undefined {
  let startedAt = performance.now()
  return () => {
    if (performance.now() - startedAt < SLICE_MS) return undefined
    return setImmediate().then(() => {
      startedAt = performance.now()
    })
  }
}
