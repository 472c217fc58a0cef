import type { Database } from 'bun:sqlite'
import type { Passage, PassageQuery } from '../../kernel/services.ts'
import { type Hit, type RankSource, rank } from '../ranking/rank.ts'
import type { LiveSegment } from '../segments/corpus.ts'
import { combine } from '../words/vocabulary.ts'
import { BoardCache } from './board-cache.ts'
import { comparePassages, wordWeights } from './comparison.ts'
import { sourceFilter } from './filter.ts'
import { kindOf, type Source, sourceStatements } from './sources.ts'
import type { IndexLog } from './types.ts'

export const MAX_RESULTS = 200

/** Searches the boards of an index file by words. */
export class BoardSearch {
  readonly boards: BoardCache
  private readonly sources

  constructor(db: Database, memory: number, log: IndexLog) {
    this.boards = new BoardCache(db, memory, log)
    this.sources = sourceStatements(db)
  }

  rank(question: PassageQuery, limit: number): Hit[] {
    const filter = sourceFilter(question)
    const hits: Hit[] = []
    const isQuick = question.minScore !== undefined
    for (const group of this.boards.groups(question.projects)) {
      const segments = group.flatMap((board) => board.liveSegments(filter))
      if (!segments.length) continue
      // A getter, because most questions need no vocabulary.
      const source: RankSource = {
        segments,
        get vocabulary() {
          return combine(group.map((board) => board.vocabulary))
        },
      }
      hits.push(...rank({ ...question, limit, isQuick }, source))
    }
    return hits.sort((a, b) => b.score - a.score || a.id - b.id).slice(0, limit)
  }

  /** The passages, with scores that can be compared if the question asks for that. */
  passagesOf(question: PassageQuery, hits: readonly Hit[]): Passage[] {
    const passages = this.load(hits)
    if (!question.isComparable) return passages
    const weights = new Map<number, ReturnType<typeof wordWeights>>()
    return comparePassages(question, passages, (project) => {
      const weightOf = weights.get(project) ?? wordWeights(this.segmentsOf(project))
      weights.set(project, weightOf)
      return weightOf
    })
  }

  segmentsOf(project: number): LiveSegment[] {
    return [...this.boards.groups([project])].flat().flatMap((board) => board.liveSegments())
  }

  private load(hits: readonly Hit[]): Passage[] {
    const { sources } = this
    return hits.flatMap(({ id, score }) => {
      const passage = sources.passage.get(id)
      const source = passage && sources.byNumber.get(passage.source)
      if (!source) return []
      const headings = [source.title, ...(JSON.parse(passage.headings) as string[])]
      return { ...sourceKeys(source), headings, text: passage.text, score }
    })
  }
}

const sourceKeys = ({ kind, ref, task, project }: Source) => ({
  kind: kindOf(kind),
  id: ref,
  task_id: task,
  project_id: project,
})
