import { setImmediate } from 'node:timers/promises'
import type { Passage, Question } from '../../kernel/outside.ts'
import { plainly } from '../../store/trouble.ts'
import { type Hit, rank } from '../rank.ts'
import { Boards } from './boards.ts'
import { emptied, type File, isDamage, openFile, renewed } from './file.ts'
import { Intake } from './intake.ts'
import { BUSY, IDLE, tidied } from './segments.ts'
import {
  type Delivery,
  type Log,
  type Place,
  type Shelves,
  type State,
  Unready,
} from './shelves.ts'
import { kindOf, type Source, sourcesIn } from './sources.ts'
import { Spellings } from './spellings.ts'
import { wantedBy } from './wanted.ts'

/** Finds passages by meaning, and has a table of its own in the same file. */
export interface Meanings {
  /** Texts on these boards are other ones now. */
  changed(projects: readonly number[]): void
  /** The best first; nothing where it cannot tell in time. */
  nearest(question: Question): Promise<Hit[]>
  fuse(byWords: readonly Hit[], byMeaning: readonly Hit[], limit: number): Hit[]
  /** Passages that have no vector yet, and bytes in memory. */
  state(): { lacking: number; bytes: number }
  close(): Promise<void>
}

export interface Keeping {
  /** Of the file; `:memory:` keeps none. */
  path: string
  /** Bytes that boards may take in memory. */
  memory: number
  log: Log
  meanings?: (file: File['db']) => Meanings
}

const MOST = 200
const IDLE_MS = 1000

/** Keeps texts in a file and finds passages of them, all in this thread. */
export class Keeper implements Shelves {
  private file: File
  private parts: ReturnType<Keeper['built']>
  /** What changes the file, one after another. */
  private line: Promise<unknown> = Promise.resolve()
  /** Boards that were written to since there was last nothing to do. */
  private readonly untidy = new Set<number>()
  private idle: Timer | undefined
  private closing = false
  private asked = 0
  private seconds = 0

  constructor(private readonly keeping: Keeping) {
    this.file = openFile(keeping.path, keeping.log)
    this.parts = this.begun()
  }

  private begun() {
    try {
      return this.built()
    } catch (error) {
      if (!isDamage(error)) throw error
      this.discard(error)
      return this.built()
    }
  }

  private built() {
    const { db } = this.file
    const { log, memory, meanings } = this.keeping
    const spellings = new Spellings(db)
    return {
      ...{ spellings, intake: new Intake(db, spellings, log), boards: new Boards(db, memory, log) },
      ...{ sources: sourcesIn(db), meanings: meanings?.(db) },
    }
  }

  async seek(question: Question): Promise<Passage[]> {
    const began = performance.now()
    const limit = Math.min(question.limit, MOST)
    const near = this.parts.meanings?.nearest(question)
    // It is waited for below, unless the words fail first.
    near?.catch(() => {})
    const byWords = await this.guarded(() => this.ranked(question, near ? MOST : limit))
    const byMeaning = near && (await this.guarded(() => near))
    const hits = byMeaning?.length
      ? this.parts.meanings!.fuse(byWords, byMeaning, limit)
      : byWords.slice(0, limit)
    const found = await this.guarded(() => this.shown(hits))
    this.asked++
    this.seconds += (performance.now() - began) / 1000
    return found
  }

  place(): Promise<Place | undefined> {
    return this.guarded(() => this.placed())
  }

  take(delivery: Delivery): Promise<void> {
    return this.inLine(async () => {
      const { intake, boards, spellings, meanings } = this.parts
      try {
        const changes = await intake.take(delivery)
        for (const [project, some] of changes) boards.changed(project, some)
        meanings?.changed([...changes.keys()])
        if (changes.size) this.tidyLater([...changes.keys()])
      } catch (error) {
        spellings.forget()
        throw error
      }
    })
  }

  forget(): Promise<void> {
    return this.inLine(async () => {
      emptied(this.file.db)
      await this.parts.meanings?.close()
      this.parts = this.built()
    })
  }

  state(): Promise<State> {
    return this.guarded(() => {
      const { db } = this.file
      const vectors = this.parts.meanings?.state()
      const count = (what: string) => db.query<{ n: number }, []>(`SELECT ${what} AS n`).get()!.n
      const pragma = (name: string) =>
        Object.values(db.query<Record<string, number>, []>(`PRAGMA ${name}`).get()!)[0]!
      return {
        passages: count('(SELECT count(*) FROM passages)'),
        sources: count('(SELECT count(*) FROM sources)'),
        boards: count('(SELECT count(DISTINCT project) FROM sources)'),
        bytes: pragma('page_count') * pragma('page_size'),
        loaded: this.parts.boards.size,
        loaded_bytes: this.parts.boards.bytes + (vectors?.bytes ?? 0),
        ...(vectors && { lacking: vectors.lacking }),
        ...{ place: this.placed(), asked: this.asked, seconds: this.seconds },
      }
    })
  }

  close(): Promise<void> {
    this.closing = true
    clearTimeout(this.idle)
    const done = this.line.then(async () => {
      await this.parts.meanings?.close()
      this.file.close()
    })
    this.line = done.catch(() => {})
    return done
  }

  private ranked(question: Question, limit: number): Hit[] {
    const { boards, spellings } = this.parts
    const wanted = wantedBy(question)
    const hits: Hit[] = []
    const near = (word: string) => spellings.nearest(word)
    for (const group of boards.groups(question.projects)) {
      const stacks = group.flatMap((board) => board.stacks(wanted))
      if (stacks.length) hits.push(...rank({ text: question.text, limit }, { stacks, near }))
    }
    return hits.sort((a, b) => b.score - a.score || a.id - b.id).slice(0, limit)
  }

  private shown(hits: readonly Hit[]): Passage[] {
    const { sources } = this.parts
    return hits.flatMap(({ id, score }) => {
      const passage = sources.passage.get(id)
      const source = passage && sources.numbered.get(passage.source)
      if (!source) return []
      const headings = [source.title, ...(JSON.parse(passage.headings) as string[])]
      return { ...about(source), headings, text: passage.text, score }
    })
  }

  /** Somebody at the command line may wish that it begins anew. */
  private placed(): Place | undefined {
    const where = 'WHERE NOT EXISTS (SELECT 1 FROM again)'
    return this.file.db.query<Place, []>(`SELECT seq, mark FROM place ${where}`).get() ?? undefined
  }

  private tidyLater(projects: readonly number[]): void {
    this.tidy(projects, BUSY)
    for (const project of projects) this.untidy.add(project)
    clearTimeout(this.idle)
    this.idle = setTimeout(() => {
      this.tidy(this.untidy, IDLE)
      this.untidy.clear()
    }, IDLE_MS)
  }

  /** Between deliveries, board by board, so that whoever asks is answered in between. */
  private tidy(projects: Iterable<number>, most: number): void {
    const { log } = this.keeping
    for (const project of projects)
      this.inLine(async () => {
        while (!this.closing && tidied(this.file.db, project, most, log)) {
          this.parts.boards.reload(project)
          await setImmediate()
        }
      }).catch((error) =>
        log.warn({ err: error }, `The search index stays as it is: ${plainly(error)}`),
      )
  }

  private inLine<T>(job: () => Promise<T>): Promise<T> {
    const done = this.line.then(() => this.guarded(job))
    this.line = done.catch(() => {})
    return done
  }

  /** What is damaged is thrown away at once; whoever brings the texts begins anew. */
  private async guarded<T>(job: () => T | Promise<T>): Promise<T> {
    const { file } = this
    try {
      return await job()
    } catch (error) {
      if (!isDamage(error)) throw error
      // Others may have met the same damage.
      if (file === this.file) {
        const { meanings } = this.parts
        this.discard(error)
        this.parts = this.built()
        await meanings?.close()
      }
      throw new Unready('The search index is being built anew')
    }
  }

  private discard(error: unknown): void {
    const { file } = this
    const about = { err: error, file: file.path }
    this.keeping.log.warn(about, 'The search index is damaged, and is built anew')
    this.file = renewed(file, this.keeping.log)
  }
}

const about = ({ kind, ref, task, project }: Source) => ({
  ...{ kind: kindOf(kind), id: ref, task_id: task, project_id: project },
})
