import type { Database } from 'bun:sqlite'
import { setImmediate } from 'node:timers/promises'
import { cut, type Piece } from '../passages.ts'
import type { Leaf } from '../shelf.ts'
import { spellings, termsOf } from '../terms.ts'
import type { Change } from './board.ts'
import { analysed, leafOf, packed, type Terms } from './leaves.ts'
import { type Delivery, type Log, type Place, type Text, Unready } from './shelves.ts'
import { numberOf, type Source, sourcesIn } from './sources.ts'
import type { Spellings } from './spellings.ts'

/** Whoever asks meanwhile does not wait for longer texts. */
const TURN_MS = 8

/** A passage as it is to be: an old one by its number, or a new one with its terms. */
interface Planned {
  id?: number
  /** Where the old one stood. */
  before?: number
  piece: { headings: string; text: string }
  terms?: Terms
}

/** What is to be done about a text. Nothing planned: its passages stay as they are. */
interface Plan {
  before: Source | undefined
  after: Omit<Source, 'source'>
  passages: Planned[] | undefined
  went: number[]
  words: string[]
}

/** Takes deliveries in: first everything is read and cut, then it is written in one go. */
export class Intake {
  private readonly sources
  private readonly statements

  constructor(
    private readonly db: Database,
    private readonly spellings: Spellings,
    private readonly log: Log,
  ) {
    this.sources = sourcesIn(db)
    this.statements = {
      fresh: db.query('INSERT INTO fresh (project, id, terms) VALUES (?, ?, ?)'),
      stale: db.query('DELETE FROM fresh WHERE project = ? AND id = ?'),
      gone: db.query('INSERT INTO gone (project, id) VALUES (?, ?)'),
      placed: db.query<Place, []>('SELECT seq, mark FROM place WHERE one = 1'),
      place: db.query('INSERT OR REPLACE INTO place (one, seq, mark) VALUES (1, ?, ?)'),
    }
  }

  /** Answers what became of the texts of each board. */
  async take({ put, gone, after, place }: Delivery): Promise<Map<number, Change[]>> {
    const texts = new Map(put.map((text) => [`${text.kind} ${text.id}`, text]))
    const plans: Plan[] = []
    const pause = pausing()
    for (const text of texts.values()) plans.push(await this.planned(text, pause))
    const changes = new Map<number, Change[]>()
    const told = (project: number, change: Change) => {
      const before = changes.get(project)
      if (before) before.push(change)
      else changes.set(project, [change])
    }
    this.db.transaction(() => {
      this.checkPlace(after)
      for (const { kind, id } of gone)
        if (!texts.has(`${kind} ${id}`))
          this.remove(this.sources.known.get(numberOf(kind), id), told)
      for (const plan of plans) this.keep(plan, told)
      if (place) this.place(place)
    })()
    return changes
  }

  private async planned(text: Text, pause: () => Promise<void> | undefined): Promise<Plan> {
    const kind = numberOf(text.kind)
    const before = this.sources.known.get(kind, text.id) ?? undefined
    const after = {
      ...{ kind, ref: text.id, project: text.project_id, task: text.task_id },
      ...{ author: text.author_id, written_at: text.written_at.getTime() },
      title: text.title,
      digest: `${text.format} ${Bun.hash(text.text)}`,
    }
    const isNamedAlike = before?.title === after.title && before.project === after.project
    if (isNamedAlike && before.digest === after.digest)
      return { before, after, passages: undefined, went: [], words: [] }
    const old = before ? this.sources.passages.all(before.source) : []
    const same = new Map(
      isNamedAlike ? old.map((one) => [`${one.headings}\n${one.text}`, one]) : [],
    )
    const passages: Planned[] = []
    const words = new Set(isNamedAlike ? [] : spellings(text.title))
    const title = termsOf(text.title)
    for (const piece of this.piecesOf(text)) {
      const waiting = pause()
      if (waiting) await waiting
      const made = { headings: JSON.stringify(piece.headings), text: piece.text }
      const key = `${made.headings}\n${made.text}`
      const known = same.get(key)
      same.delete(key)
      if (known) passages.push({ id: known.id, before: known.ordinal, piece: made })
      else passages.push({ piece: made, terms: analysed(title, piece) })
      if (!known) for (const word of spellings(wordsOf(piece))) words.add(word)
    }
    const stays = new Set(passages.map(({ id }) => id))
    const went = old.flatMap(({ id }) => (stays.has(id) ? [] : [id]))
    return { before, after, passages, went, words: [...words] }
  }

  /** What has a title is found by it, be there nothing else. */
  private piecesOf({ kind, id, text, format }: Text): Piece[] {
    try {
      const pieces = cut(text, format)
      if (pieces.length) return pieces
    } catch (error) {
      // The others are not kept from being found by one that nobody foresaw.
      this.log.error({ err: error, kind, id }, 'A text is found by its title only')
    }
    return [{ headings: [], text: '' }]
  }

  private keep({ before, after, passages, went, words }: Plan, told: Told): void {
    const source = { ...after, source: before?.source ?? this.add(after) }
    if (before) this.change(source)
    const here = { source, isHere: true }
    if (!passages) {
      told(source.project, { ...here, came: [], went: [] })
      return
    }
    this.drop(before?.project ?? source.project, went)
    const came: Leaf[] = []
    for (const [ordinal, { id, before: at, piece, terms }] of passages.entries())
      if (id === undefined) came.push(this.addPassage(source, ordinal, piece, terms!))
      else if (at !== ordinal) this.sources.shift.run(ordinal, id)
    this.spellings.learn(words)
    if (before && before.project !== source.project) {
      told(before.project, { source: before, isHere: false, came: [], went })
      told(source.project, { ...here, came, went: [] })
    } else told(source.project, { ...here, came, went })
  }

  private add({ kind, ref, project, task, author, written_at, title, digest }: Plan['after']) {
    const row = this.sources.add.get(kind, ref, project, task, author, written_at, title, digest)
    return row!.source
  }

  private change({ source, project, task, author, written_at, title, digest }: Source): void {
    this.sources.change.run(project, task, author, written_at, title, digest, source)
  }

  private addPassage(
    source: Source,
    ordinal: number,
    { headings, text }: Planned['piece'],
    terms: Terms,
  ): Leaf {
    const { id } = this.sources.addPassage.get(source.source, ordinal, headings, text)!
    this.statements.fresh.run(source.project, id, packed(terms))
    return leafOf(id, source.source, terms)
  }

  private remove(source: Source | null, told: Told): void {
    if (!source) return
    const went = this.sources.idsOf.all(source.source).map(({ id }) => id)
    this.drop(source.project, went)
    this.sources.remove.run(source.source)
    told(source.project, { source, isHere: false, came: [], went })
  }

  private drop(project: number, ids: readonly number[]): void {
    for (const id of ids) {
      this.sources.removePassage.run(id)
      // A segment that holds it is made anew another time.
      if (!this.statements.stale.run(project, id).changes) this.statements.gone.run(project, id)
    }
  }

  /** What was damaged and emptied while texts were on their way lacks those before them. */
  private checkPlace(after: Place | undefined): void {
    const kept = this.statements.placed.get()
    if (kept?.seq !== after?.seq || kept?.mark !== after?.mark)
      throw new Unready('The search index was emptied meanwhile')
  }

  private place({ seq, mark }: Place): void {
    this.statements.place.run(seq, mark)
  }
}

type Told = (project: number, change: Change) => void

const wordsOf = ({ headings, text }: Piece) => `${headings.join('\n')}\n${text}`

/** Answers something to wait for when it was asked for long enough. */
function pausing(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < TURN_MS) return undefined
    return setImmediate().then(() => {
      began = performance.now()
    })
  }
}
